"""LayerNorm and RMSNorm over the last axis."""
import numpy as np


def mean_square(x):
    """The mean of the squares of each token, with the last axis kept."""
    return np.mean(x * x, axis=-1, keepdims=True)


def normalize(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """(..., d), (d,), (d,) or None -> (..., d)."""
    if kind == "rms":
        return x / np.sqrt(mean_square(x) + eps) * gamma
    centred = x - np.mean(x, axis=-1, keepdims=True)
    y = centred / np.sqrt(mean_square(centred) + eps) * gamma
    return y if beta is None else y + beta
