"""Rotary position embedding with neighbouring pairs (2i, 2i + 1)."""
import numpy as np


def frequencies(d, base):
    """Angle per position of each pair: base ** (-2i / d), shape (d/2,)."""
    return base ** (-np.arange(0, d, 2) / d)


def angles_of(positions, d, base):
    """Position times frequency: (n, d/2)."""
    return positions[:, None] * frequencies(d, base)


def rotate(even, odd, cos, sin):
    """Turn each pair: the new even and the new odd features."""
    return even * cos - odd * sin, even * sin + odd * cos


def turn(x, angles):
    """Turn each pair of features of x (..., n, d) by its angle (n, d/2)."""
    even, odd = rotate(x[..., ::2], x[..., 1::2], np.cos(angles), np.sin(angles))
    return np.stack([even, odd], axis=-1).reshape(x.shape)


def apply_rope(x, positions, base=10000.0):
    """Turn each pair of features of x (..., n, d) by position times frequency."""
    return turn(x, angles_of(positions, x.shape[-1], base))
