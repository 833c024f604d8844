# WRONG in the RMS branch only: eps outside the root, as in several public RMSNorm files. Not named (eps_outside is, in both branches).
import numpy as np
def normalize(x, gamma, beta=None, eps=1e-5, kind="layer"):
    if kind == "rms":
        return x / (np.linalg.norm(x, axis=-1, keepdims=True) / x.shape[-1] ** 0.5 + eps) * gamma
    y = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps) * gamma
    return y if beta is None else y + beta
