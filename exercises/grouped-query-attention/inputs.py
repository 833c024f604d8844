"""Random legal inputs of grouped-query-attention."""
import numpy as np


def draw(rng):
    """Token counts, groups of heads and their width, then one of five kinds of numbers."""
    n_q, n_k, kv_heads, group, d = _sizes(rng)
    kind = rng.choice(["plain", "plain", "same", "offset", "ties", "far"])
    if kind in ("offset", "far"):
        d = int(rng.choice([1, 4]))  # the division by sqrt(d) is exact, in float32 too
    heads = kv_heads * group
    Q = rng.standard_normal((n_q, heads * d))
    K, V = (rng.standard_normal((n_k, kv_heads * d)) for _ in range(2))
    if kind == "same":
        V = K.copy()
    elif kind == "offset":  # every score of a row is high, or every one is low
        K = 16.0 + rng.integers(0, 5, size=K.shape) / 8
        rows = rng.choice([-256.0, -64.0, -1.0, 0.0, 64.0, 256.0], size=(n_q, heads, 1))
        Q = np.tile(rows, (1, 1, d)).reshape(n_q, heads * d)
    elif kind == "ties":
        K = np.tile(K[:1], (n_k, 1))
    elif kind == "far":  # one key leads each row by hundreds, and it may stand anywhere
        Q, K = np.round(100 * Q), np.round(100 * K)
        V = V + 1000 * rng.integers(-1, 2)
    return Q, K, V, heads, kv_heads


def _sizes(rng):
    n_q, n_k, kv_heads, group, d = (int(n) for n in rng.integers([1, 1, 1, 1, 1], [8, 8, 4, 4, 5]))
    kind = rng.integers(6)
    if kind == 0:
        n_q = n_k = kv_heads = group = d = int(rng.integers(1, 4))
    elif kind == 1:  # more queries than keys
        n_q = min(n_k + 1 + int(rng.integers(3)), 7)
    elif kind == 2:
        group = 1
    elif kind == 3:
        kv_heads = 1
    return n_q, n_k, kv_heads, group, d
