import math

import numpy as np


def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    y = np.zeros(x.shape)
    for t, position in enumerate(positions):
        for i in range(d // 2):
            angle = position / base ** (2 * i / d)
            rotation = np.array([
                [math.cos(angle), -math.sin(angle)],
                [math.sin(angle), math.cos(angle)],
            ])
            y[..., t, 2 * i:2 * i + 2] = x[..., t, 2 * i:2 * i + 2] @ rotation.T
    return y
