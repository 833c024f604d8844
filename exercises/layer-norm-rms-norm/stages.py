"""The intermediate arrays of both normalisations, in order of computation."""
import numpy as np


def _per_token(values):
    """One number a token, with the reduced axis kept or dropped."""
    return [values, values[..., 0]]


def stages(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """Name -> array; a list holds layouts and orders of steps that are equally right."""
    named = {}
    centred = x
    if kind == "layer":
        mean = np.mean(x, axis=-1, keepdims=True)
        centred = x - mean
        named["mean"] = _per_token(mean)
        named["centred"] = centred
    spread = mean_square(centred)
    root = np.sqrt(spread + eps)
    named["mean of squares"] = _per_token(spread) + _per_token(spread + eps)
    named["root"] = _per_token(root) + _per_token(1 / root)
    named["normalised"] = centred / root
    named["scaled"] = centred / root * gamma
    named["output"] = normalize(x, gamma, beta, eps, kind)
    return named
