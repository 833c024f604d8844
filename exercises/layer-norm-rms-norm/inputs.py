"""Random legal inputs of layer-norm-rms-norm."""
import numpy as np


def draw(rng):
    """A shape, one of five kinds of numbers, then the optional arguments, or fewer of them."""
    shape = tuple(int(n) for n in rng.integers(1, 6, size=rng.integers(1, 5)))
    if rng.integers(4) == 0:
        shape = shape[:1] * len(shape)
    d = shape[-1]
    x = _numbers(rng, shape)
    gamma, beta = rng.standard_normal(d), rng.standard_normal(d)
    if rng.integers(4) == 0:
        gamma = np.ones(d)
    eps = float(rng.choice([1e-12, 1e-6, 1e-5, 0.01, 0.5, 2.0]))
    beta = None if rng.integers(3) == 0 else beta
    kind = str(rng.choice(["layer", "rms"]))
    given = rng.integers(6)
    if given == 0:
        return x, gamma
    if given == 1:
        return x, gamma, beta
    if given == 2:
        return x, gamma, beta, eps
    return x, gamma, beta, 1e-5 if given == 3 else eps, kind


def _numbers(rng, shape):
    x = rng.standard_normal(shape)
    kind = rng.choice(["plain", "far", "constant", "small", "large", "zero"])
    if kind == "far":  # whole multiples of 8 far from zero: float32 holds them
        x = 2.0**23 + 8.0 * rng.integers(0, 3, size=shape) * shape[-1]
    elif kind == "constant":
        x[..., :] = x[..., :1]
        x = np.round(x)
    elif kind == "small":
        x = 1e-3 * x
    elif kind == "large":
        x = np.round(100 * x) + 50
    elif kind == "zero":
        x = np.where(rng.integers(3, size=(*shape[:-1], 1)) == 0, 0.0, x)
    return x
