"""Misconceptions about the gated network."""
import numpy as np


def _network(x, W_up, W_down, W_gate, gated):
    up = x @ W_up
    hidden = gelu(up) if W_gate is None else gated(x @ W_gate, up)
    return hidden @ W_down


def _sigmoid(z):
    return 0.5 * (1.0 + np.tanh(0.5 * z))


def gate_swapped(x, W_up, W_down, W_gate=None):
    """SiLU on the up branch

    The two widened branches have changed roles. The branch of W_gate is the valve and is bent; the
    branch of W_up carries the signal and stays linear.

    Hint: 2
    """
    return _network(x, W_up, W_down, W_gate, lambda gate, up: gate * silu(up))


def silu_of_product(x, W_up, W_down, W_gate=None):
    """SiLU of the product

    SiLU comes after the product of the two branches, one step too late. A valve has to be bent
    before it meets the signal, or the signal changes the valve.

    Hint: 2
    """
    return _network(x, W_up, W_down, W_gate, lambda gate, up: silu(gate * up))


def silu_on_both(x, W_up, W_down, W_gate=None):
    """SiLU on both branches

    Both widened branches pass through SiLU. Only the gate is bent; the other branch carries the
    signal and has to reach the product unchanged.

    Hint: 2
    """
    return _network(x, W_up, W_down, W_gate, lambda gate, up: silu(gate) * silu(up))


def sigmoid_gate(x, W_up, W_down, W_gate=None):
    """Sigmoid gate (GLU) instead of SiLU

    The gate in this code is a plain sigmoid, as in the original GLU. SiLU multiplies the sigmoid
    by its own input once more.

    Hint: 5
    """
    return _network(x, W_up, W_down, W_gate, lambda gate, up: _sigmoid(gate) * up)


def gelu_gate(x, W_up, W_down, W_gate=None):
    """GELU on the gate (GEGLU)

    The gate passes through GELU, which is a different network of the same family (GEGLU). Here
    each path has its own curve: GELU without a gate, SiLU on the gate.

    Hint: 2
    """
    return _network(x, W_up, W_down, W_gate, lambda gate, up: gelu(gate) * up)


def no_activation_on_gate(x, W_up, W_down, W_gate=None):
    """No activation on the gate

    The gate is never bent, so the hidden layer multiplies two linear maps. A valve that is not
    bent cannot close. One of the two branches has a curve in the formula.

    Hint: 2
    """
    return _network(x, W_up, W_down, W_gate, lambda gate, up: gate * up)


def branches_added(x, W_up, W_down, W_gate=None):
    """The branches are added

    The activated gate is added to the signal. A valve scales what flows through it, so the two
    have to be multiplied entry by entry.

    Hint: 2
    """
    return _network(x, W_up, W_down, W_gate, lambda gate, up: silu(gate) + up)


def gate_ignored(x, W_up, W_down, W_gate=None):
    """W_gate is never used

    The result does not depend on W_gate. The GELU network runs even when there is a gate. The
    function has two paths, and this argument chooses between them.

    Hint: 1
    """
    return gelu(x @ W_up) @ W_down


def gate_truth_value(x, W_up, W_down, W_gate=None):
    """The gate is asked for its truth value

    An array of several numbers has no single truth value, so this test raises ValueError. It
    happens to work for None and for a 1 x 1 gate. Ask whether the argument is None.

    Hint: 4
    """
    up = x @ W_up
    hidden = silu(x @ W_gate) * up if W_gate else gelu(up)
    return hidden @ W_down


def silu_overflow(x, W_up, W_down, W_gate=None):
    """exp(g) / (1 + exp(g)) overflows

    For a large positive gate, exp is infinite above and below the fraction line. Infinity divided
    by infinity is nan. Write the sigmoid so that exp only sees numbers that are not positive, or
    use tanh.

    Hint: 5
    """
    def gated(gate, up):
        return gate * np.exp(gate) / (1.0 + np.exp(gate)) * up

    return _network(x, W_up, W_down, W_gate, gated)


def sigmoid_clipped(x, W_up, W_down, W_gate=None):
    """The sigmoid is clipped too early

    The gate is clipped before exp, so the sigmoid never gets small enough. At a gate of -1000 the
    small rest is multiplied by 1000 and becomes visible. A sigmoid built on tanh needs no
    clipping.

    Hint: 5
    """
    def gated(gate, up):
        return gate / (1.0 + np.exp(-np.clip(gate, -15, 15))) * up

    return _network(x, W_up, W_down, W_gate, gated)


def gate_softmax(x, W_up, W_down, W_gate=None):
    """The sigmoid is treated like a softmax

    The gate is normalised over the hidden units, so the units compete. A sigmoid looks at one
    number alone: each unit has its own valve.

    Hint: 2
    """
    def gated(gate, up):
        e = np.exp(gate - gate.max(axis=-1, keepdims=True))
        return gate * e / e.sum(axis=-1, keepdims=True) * up

    return _network(x, W_up, W_down, W_gate, gated)


def gelu_stays_on(x, W_up, W_down, W_gate=None):
    """The signal goes through GELU as well

    The gate is right, but the signal beside it is bent too. GELU belongs to the network without a
    gate; in the gated one the signal is multiplied as it is.

    Hint: 2
    """
    up = gelu(x @ W_up)
    return (up if W_gate is None else silu(x @ W_gate) * up) @ W_down
