"""Random legal inputs of rotary-embedding."""
import numpy as np


def draw(rng):
    """Leading axes, tokens and pairs, then positions near or far, with a base or without."""
    leading = tuple(int(n) for n in rng.integers(1, 4, size=rng.integers(0, 3)))
    n, pairs = int(rng.integers(1, 7)), int(rng.integers(1, 6))
    if rng.integers(5) == 0:
        n = 2 * pairs
    x = rng.standard_normal((*leading, n, 2 * pairs))
    kind = rng.choice(["first", "any", "far", "same"])
    if kind == "first":
        positions = np.arange(n)
    elif kind == "any":
        positions = rng.permutation(40)[:n]
    elif kind == "far":
        positions = rng.integers(0, 100001, size=n)
    else:
        positions = np.full(n, rng.integers(0, 20))
    if rng.integers(2) == 0:
        return x, positions
    return x, positions, float(rng.choice([10.0, 500.0, 10000.0, 1e6]))
