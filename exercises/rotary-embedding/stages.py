"""The arrays a solution passes through, in order."""
import numpy as np


def stages(x, positions, base=10000.0):
    theta = frequencies(x.shape[-1], base)
    angles = np.asarray(positions)[:, None] * theta
    cos, sin = np.cos(angles), np.sin(angles)
    even, odd = x[..., 0::2], x[..., 1::2]
    new_even, new_odd = even * cos - odd * sin, even * sin + odd * cos
    return {
        "frequencies": [theta, theta[None, :], np.repeat(theta, 2)],
        "angles": [angles, angles.T, np.repeat(angles, 2, axis=-1)],
        "cos": [cos, cos.T, np.repeat(cos, 2, axis=-1)],
        "sin": [sin, sin.T, np.repeat(sin, 2, axis=-1)],
        "even features": [even, x.reshape(*x.shape[:-1], -1, 2)],
        "odd features": odd,
        "new even features": new_even,
        "new odd features": new_odd,
        "output": [apply_rope(x, positions, base), np.stack([new_even, new_odd], axis=-1)],
    }
