"""Random legal inputs of online-softmax-attention."""
import numpy as np

LARGEST = float(np.finfo(np.float32).max)  # no number is larger, so float32 holds them all


def draw(rng):
    """Four sizes and a block size, then one of five kinds of numbers."""
    n_q, n_k, d_k, d_v, block_size = _sizes(rng)
    kind = rng.choice(["plain", "plain", "same", "offset", "ties", "far", "lowest"])
    if kind in ("offset", "far", "lowest"):  # the division by sqrt(d_k) is exact, in float32 too
        d_k = 1 if kind == "lowest" else int(rng.choice([1, 4]))
    Q, K = rng.standard_normal((n_q, d_k)), rng.standard_normal((n_k, d_k))
    V = rng.standard_normal((n_k, d_v))
    if kind == "same":
        Q = np.resize(K, (n_q, d_k))
    elif kind == "offset":  # every score of a row is high, or every one is low
        K = 16.0 + rng.integers(0, 5, size=(n_k, d_k)) / 8
        Q = np.ones((n_q, d_k)) * rng.choice([-256.0, -64.0, -1.0, 0.0, 64.0, 256.0], size=(n_q, 1))
    elif kind == "ties":
        K = np.tile(K[:1], (n_k, 1))
    elif kind == "far":  # the largest score may stand in any block, hundreds above the others
        Q, K = np.round(100 * Q), np.round(100 * K)
        V = V + 1000 * rng.integers(-1, 2)
    elif kind == "lowest":  # scores as low as numbers that a running maximum is begun with
        Q = -rng.choice([1e4, 1e9, 1e20, LARGEST], size=(n_q, d_k))
        K = 0.5 ** rng.permutation(n_k)[:, None]
    return Q, K, V, block_size


def _sizes(rng):
    n_q, n_k, d_k, d_v = (int(n) for n in rng.integers(1, 8, size=4))
    block_size = int(rng.integers(1, 10))
    kind = rng.integers(6)
    if kind == 0:
        n_q = n_k = d_k = d_v = int(rng.integers(1, 5))
    elif kind == 1:  # more queries than keys
        n_q = min(n_k + 1 + int(rng.integers(3)), 7)
    elif kind == 2:
        block_size = int(rng.integers(1, 3))
    elif kind == 3:
        block_size = n_k
    return n_q, n_k, d_k, d_v, block_size
