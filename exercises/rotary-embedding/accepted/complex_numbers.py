import numpy as np


def apply_rope(x, positions, base=10000.0):
    n, d = x.shape[-2:]
    pairs = x.reshape(*x.shape[:-1], d // 2, 2)
    points = pairs[..., 0] + 1j * pairs[..., 1]
    theta = np.exp(-np.log(base) * 2 * np.arange(d // 2) / d)
    turned = points * np.exp(1j * np.outer(positions, theta))
    out = np.empty(x.shape)
    out[..., ::2] = turned.real
    out[..., 1::2] = turned.imag
    return out
