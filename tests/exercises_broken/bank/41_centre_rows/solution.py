import numpy as np


def centre_rows(x, scale=1.0):
    x = np.asarray(x)
    return scale * (x - x.mean(axis=1, keepdims=True))
