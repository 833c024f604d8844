"""The curve of the network without a gate is another one."""
import numpy as np


import math


def _inner(z):
    return np.sqrt(2.0 / np.pi) * (z + 0.044715 * z**3)


def gelu_erf(z):
    """Exact (erf) GELU

    The GELU in this code is the exact form, built on erf. It stays within 0.0005 of the tanh form,
    so every value is close and none is right. This exercise uses the tanh form of the formula.

    Hint: 1
    """
    erf = np.array([math.erf(v) for v in (z / np.sqrt(2.0)).ravel()]).reshape(z.shape)
    return 0.5 * z * (1.0 + erf)


def gelu_sigmoid(z):
    """The quick sigmoid form of GELU

    The GELU in this code is the quick form, built on sigmoid(1.702 z). It is off by up to 0.02 for
    each activation. This exercise uses the tanh form of the formula.

    Hint: 1
    """
    return z * 0.5 * (1.0 + np.tanh(0.851 * z))


def gelu_square(z):
    """A square where the cube belongs

    Positive inputs come out nearly right, negative ones do not. The argument of tanh has to change
    its sign when z does, and a square cannot do that. Compare the power in the code with the one
    in the formula.

    Hint: 1
    """
    return 0.5 * z * (1.0 + np.tanh(np.sqrt(2.0 / np.pi) * (z + 0.044715 * z**2)))


def relu(z):
    """ReLU instead of GELU

    The curve in this code is exactly 0 for every negative input. That is ReLU, the activation of
    the 2017 paper. GELU lets small negative values through.

    Hint: 1
    """
    return np.maximum(z, 0.0)


def no_activation(z):
    """No activation between the two products

    Nothing bends the tokens between the two matrix products. Two linear maps in a row are one
    linear map, so the wide layer adds nothing. GELU belongs between them.

    Hint: 1
    """
    return z


def silu_for_gelu(z):
    """SiLU in the network without a gate

    The network without a gate is bent by SiLU, not by GELU. The two curves look alike, but they
    differ by up to 0.2. SiLU belongs to the gated network only.

    Hint: 1
    """
    return z * 0.5 * (1.0 + np.tanh(0.5 * z))


def missing_half(z):
    """GELU without its factor of one half

    Without a gate, every output is twice as large as it should be. For large z the bracket of GELU
    tends to 2, yet GELU itself should tend to z. One factor of the formula is missing.

    Hint: 1
    """
    return z * (1.0 + np.tanh(_inner(z)))


def missing_factor_z(z):
    """GELU without its factor z

    The curve in this code only runs from 0 to 1. It is the valve of GELU, without the signal that
    the valve is meant to let through. Compare what is in front of the bracket in the formula.

    Hint: 1
    """
    return 0.5 * (1.0 + np.tanh(_inner(z)))


def missing_root(z):
    """2/pi without the square root

    The curve in this code is a little too flat around 0. The constant inside tanh is the square
    root of 2/pi, and here the root is missing.

    Hint: 1
    """
    return 0.5 * z * (1.0 + np.tanh(2.0 / np.pi * (z + 0.044715 * z**3)))


def cube_outside(z):
    """The constant multiplies z but not the cube

    The square root of 2/pi reaches only one of the two terms inside tanh. Values are close for
    small z and drift apart from there. Look at where the inner bracket of the formula opens and
    closes.

    Hint: 1
    """
    return 0.5 * z * (1.0 + np.tanh(np.sqrt(2.0 / np.pi) * z + 0.044715 * z**3))
