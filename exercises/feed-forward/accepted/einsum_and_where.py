import numpy as np


def sigmoid(z):
    # exp only ever sees a number that is not positive
    e = np.exp(-np.abs(z))
    return np.where(z >= 0, 1 / (1 + e), e / (1 + e))


def feed_forward(x, W_up, W_down, W_gate=None):
    c = np.sqrt(2 / np.pi)
    a = np.einsum("...d,df->...f", x, W_up)
    if W_gate is not None:
        g = np.einsum("...d,df->...f", x, W_gate)
        a *= g
        a *= sigmoid(g)
    else:
        a = a * (np.tanh(c * a * (1 + 0.044715 * np.square(a))) + 1) / 2
    return np.einsum("...f,fd->...d", a, W_down)
