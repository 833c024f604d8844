"""Rotary position embedding with neighbouring pairs (2i, 2i + 1)."""
import numpy as np


def frequencies(d, base):
    """Angle per position of each pair: base ** (-2i / d), shape (d/2,)."""
    return base ** (-np.arange(0, d, 2) / d)


def apply_rope(x, positions, base=10000.0):
    """Turn each pair of features of x (..., n, d) by position times frequency."""
    angles = positions[:, None] * frequencies(x.shape[-1], base)  # (n, d/2)
    cos, sin = np.cos(angles), np.sin(angles)
    even, odd = x[..., ::2], x[..., 1::2]  # (..., n, d/2)
    turned = np.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1)
    return turned.reshape(x.shape)
