"""Random legal inputs of multi-head-attention-layer."""
import numpy as np


def draw(rng):
    """Token counts, heads and their width, then one of six kinds of numbers."""
    n_q, n_kv, num_heads, d_k = _sizes(rng)
    kind = rng.choice(["plain", "plain", "self", "offset", "ties", "far"])
    if kind in ("offset", "far"):
        d_k = int(rng.choice([1, 4]))  # the division by sqrt(d_k) is exact, in float32 too
    width = num_heads * d_k
    x_q, x_kv = rng.standard_normal((n_q, width)), rng.standard_normal((n_kv, width))
    weights = [rng.standard_normal((width, width)) / width**0.5 for _ in range(4)]
    if kind == "self":
        x_kv = x_q.copy()
    elif kind == "offset":  # every score of a row is high, or every one is low
        x_kv = 16.0 + rng.integers(0, 5, size=(n_kv, width)) / 8
        rows = rng.choice([-256.0, -64.0, -1.0, 0.0, 64.0, 256.0], size=(n_q, num_heads, 1))
        x_q = np.tile(rows, (1, 1, d_k)).reshape(n_q, width)
        weights[:2] = np.eye(width), np.eye(width)
    elif kind == "ties":
        x_kv = np.tile(x_kv[:1], (n_kv, 1))
    elif kind == "far":  # one key leads each row by hundreds, and it may stand anywhere
        x_q, x_kv = np.round(100 * x_q), np.round(100 * x_kv)
        weights = [np.eye(width)[rng.permutation(width)] for _ in range(4)]
    return x_q, x_kv, *weights, num_heads


def _sizes(rng):
    n_q, n_kv, num_heads, d_k = (int(n) for n in rng.integers([1, 1, 1, 1], [8, 8, 4, 5]))
    kind = rng.integers(6)
    if kind == 0:
        n_q = n_kv = num_heads = d_k = int(rng.integers(1, 4))
    elif kind == 1:  # more queries than keys
        n_q = min(n_kv + 1 + int(rng.integers(3)), 7)
    elif kind == 2:
        n_q = n_kv
    elif kind == 3:
        num_heads, d_k = num_heads * d_k, 1
    return n_q, n_kv, num_heads, d_k
