# WRONG in the RMS branch only: the variance in place of the mean square (a merged bug of a large library). Not named.
import numpy as np
def normalize(x, gamma, beta=None, eps=1e-5, kind="layer"):
    mu = np.mean(x, -1, keepdims=True); var = np.var(x, -1, keepdims=True); ms = np.mean(x * x, -1, keepdims=True)
    if kind == "rms":
        return x / np.sqrt(var + eps) * gamma
    y = (x - mu) / np.sqrt(var + eps) * gamma
    return y if beta is None else y + beta
