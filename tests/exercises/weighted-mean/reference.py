import numpy as np


def weighted_mean(x, p, kind="plain"):
    """The mean, and the sum of the weights."""
    w = p["weights"] ** 2 if kind == "squared" else p["weights"]
    mean = (x * w[:, np.newaxis]).sum(axis=-2) / w.sum()
    return mean, float(w.sum())
