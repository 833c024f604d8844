# WRONG, as in a public file: neighbours are taken apart, but concatenated, under angles that are tiled. Not named.
import numpy as np
def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    ang = np.concatenate([np.outer(positions, base ** (-np.arange(0, d, 2) / d))] * 2, axis=-1)
    half = np.concatenate((-x[..., 1::2], x[..., ::2]), axis=-1)
    return x * np.cos(ang) + half * np.sin(ang)
