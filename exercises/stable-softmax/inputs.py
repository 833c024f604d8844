"""Random legal inputs of stable-softmax."""
import numpy as np

LARGEST = float(np.finfo(np.float32).max)  # no number is larger, so float32 holds them all


def draw(rng):
    """A shape and an axis, then one of seven kinds of numbers."""
    ndim = int(rng.integers(1, 5))
    shape = tuple(int(n) for n in rng.integers(1, 6, size=ndim))
    if rng.integers(4) == 0:
        shape = shape[:1] * ndim
    if rng.integers(4) == 0:
        return (_numbers(rng, shape, -1),)
    axis = int(rng.integers(-ndim, ndim))
    return _numbers(rng, shape, axis), axis


def _numbers(rng, shape, axis):
    kind = rng.choice(["plain", "whole", "offset", "far", "ties", "holes", "lowest"])
    x = rng.standard_normal(shape)
    if kind == "whole":
        return rng.integers(-5, 6, size=shape)
    if kind == "offset":  # every slice has an offset of its own
        across = list(shape)
        across[axis] = 1
        return np.round(8 * x) / 8 + rng.choice([-4000.0, -800.0, 0.0, 800.0, 4000.0], size=across)
    if kind == "far":  # one entry leads its slice by hundreds, and it may stand anywhere
        return np.round(2000 * x)
    if kind == "ties":
        return np.round(x)
    if kind == "holes":  # -inf, but never in a whole slice
        holes = rng.integers(3, size=shape) == 0
        full = holes.all(axis=axis, keepdims=True)
        return np.where(holes & ~full, -np.inf, np.round(8 * x) / 8)
    if kind == "lowest":  # -inf but for one score a slice, which may be as low as a score can be
        only = np.argsort(x, axis=axis) == shape[axis] - 1
        lowest = rng.choice([-100.0, -12000.0, -1e9, -LARGEST])
        return np.where(only, lowest, -np.inf)
    return x
