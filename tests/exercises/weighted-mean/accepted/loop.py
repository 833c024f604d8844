import numpy as np


def weighted_mean(x, p, kind="plain"):
    w = p["weights"]
    if kind == "squared":
        w = w * w
    total = 0.0
    mean = np.zeros(x.shape[:-2] + x.shape[-1:])
    for row, weight in enumerate(w):
        mean = mean + x[..., row, :] * weight
        total += weight
    return mean / total, total
