"""The curve of the gate is another one."""
import numpy as np


def sigmoid_gate(z):
    """Sigmoid gate (GLU) instead of SiLU

    The gate in this code is a plain sigmoid, as in the original GLU. SiLU multiplies the sigmoid
    by its own input once more.

    Hint: 5
    """
    return 0.5 * (1.0 + np.tanh(0.5 * z))


def gelu_gate(z):
    """GELU on the gate (GEGLU)

    The gate passes through GELU, which is a different network of the same family (GEGLU). Here
    each path has its own curve: GELU without a gate, SiLU on the gate.

    Hint: 2
    """
    return 0.5 * z * (1.0 + np.tanh(np.sqrt(2.0 / np.pi) * (z + 0.044715 * z**3)))


def no_activation_on_gate(z):
    """No activation on the gate

    The gate is never bent, so the hidden layer multiplies two linear maps. A valve that is not
    bent cannot close. One of the two branches has a curve in the formula.

    Hint: 2
    """
    return z


def silu_overflow(z):
    """exp(g) / (1 + exp(g)) overflows

    For a large positive gate, exp is infinite in the numerator and in the denominator. Infinity
    divided by infinity is nan. Write the sigmoid so that exp only sees numbers that are not
    positive, or use tanh.

    Hint: 5
    """
    return z * np.exp(z) / (1.0 + np.exp(z))


def sigmoid_clipped(z):
    """The sigmoid is clipped too early

    The gate is clipped before exp, so the sigmoid never gets small enough. At a gate of -1000 the
    small rest is multiplied by 1000 and becomes visible. A sigmoid built on tanh needs no
    clipping.

    Hint: 5
    """
    return z / (1.0 + np.exp(-np.clip(z, -15, 15)))


def gate_softmax(z):
    """The sigmoid is treated like a softmax

    The gate is normalised over the hidden units, so the units compete. A sigmoid looks at one
    number alone: each unit has its own valve.

    Hint: 2
    """
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return z * e / e.sum(axis=-1, keepdims=True)
