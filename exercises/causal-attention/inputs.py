"""Random legal inputs of causal-attention."""
import numpy as np

LARGEST = float(np.finfo(np.float32).max)  # no number is larger, so float32 holds them all


def draw(rng):
    """Four sizes, then one of five kinds of numbers."""
    n_q, n_k, d_k, d_v = _sizes(rng)
    kind = rng.choice(["plain", "plain", "same", "offset", "ties", "far", "lowest"])
    if kind in ("offset", "far", "lowest"):  # the division by sqrt(d_k) is exact, in float32 too
        d_k = 1 if kind == "lowest" else int(rng.choice([1, 4]))
    Q, K = rng.standard_normal((n_q, d_k)), rng.standard_normal((n_k, d_k))
    V = rng.standard_normal((n_k, d_v))
    if kind == "same":
        K, V = Q.copy(), rng.standard_normal((n_q, d_v))
    elif kind == "offset":  # every score of a row is high, or every one is low
        K = 16.0 + rng.integers(0, 5, size=(n_k, d_k)) / 8
        Q = np.ones((n_q, d_k)) * rng.choice([-256.0, -64.0, -1.0, 0.0, 64.0, 256.0], size=(n_q, 1))
    elif kind == "ties":
        K = np.tile(K[:1], (n_k, 1))
    elif kind == "far":  # one key leads each row by hundreds, often a hidden one
        Q, K = np.round(100 * Q), np.round(100 * K)
        V = V + 1000 * rng.integers(-1, 2)
    elif kind == "lowest":  # scores as low as numbers that are used in the place of -inf
        Q = -rng.choice([1e4, 1e9, 1e20, LARGEST], size=(n_q, d_k))
        K = np.ones((n_k, d_k))
    return Q, K, V


def _sizes(rng):
    sizes = rng.integers(1, 8, size=4)
    kind = rng.integers(5)
    if kind == 0:
        sizes[:] = sizes[0]
    elif kind == 1:
        sizes[rng.integers(4)] = 1
    elif kind == 2:  # queries before the first key
        sizes[0] = sizes[1] + 1 + rng.integers(3)
    elif kind == 3:
        sizes[0] = sizes[1]
    return (int(size) for size in np.minimum(sizes, 7))
