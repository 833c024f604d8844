"""Softmax along one axis, shifted by each slice's own maximum."""
import numpy as np


def softmax(x, axis=-1):
    """Weights along `axis`: the shape of x, every slice sums to 1."""
    x = np.asarray(x, dtype=float)  # a difference of small integers could wrap around
    shifted = x - x.max(axis=axis, keepdims=True)  # the largest of every slice becomes 0
    powers = np.exp(shifted)  # in [0, 1]
    return powers / powers.sum(axis=axis, keepdims=True)
