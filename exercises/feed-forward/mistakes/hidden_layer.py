"""The wide layer takes another path."""
import numpy as np


def gate_ignored(x, W_up, W_gate):
    """W_gate is never used

    The result does not depend on W_gate. The GELU network runs even when there is a gate. The
    function has two paths, and this argument chooses between them.

    Hint: 1
    """
    return gelu(x @ W_up)


def gate_truth_value(x, W_up, W_gate):
    """The gate is asked for its truth value

    An array of several numbers has no single truth value, so this test raises ValueError. It
    happens to work for None and for a 1 x 1 gate. Ask whether the argument is None.

    Hint: 4
    """
    up = x @ W_up
    return gated(x @ W_gate, up) if W_gate else gelu(up)


def gelu_stays_on(x, W_up, W_gate):
    """The signal goes through GELU as well

    The gate is right, but the signal beside it is bent too. GELU belongs to the network without a
    gate; in the gated one the signal is multiplied as it is.

    Hint: 2
    """
    up = gelu(x @ W_up)
    return up if W_gate is None else gated(x @ W_gate, up)
