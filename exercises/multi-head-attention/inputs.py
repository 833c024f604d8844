"""Random legal inputs of multi-head-attention."""
import numpy as np


def draw(rng):
    """A token count, a number of heads and a width for each, then one of five kinds of numbers."""
    seq_len, num_heads, d_k = _sizes(rng)
    kind = rng.choice(["plain", "plain", "same", "offset", "ties", "far"])
    if kind in ("offset", "far"):
        d_k = int(rng.choice([1, 4]))  # the division by sqrt(d_k) is exact, in float32 too
    shape = seq_len, num_heads * d_k
    Q, K, V = (rng.standard_normal(shape) for _ in range(3))
    if kind == "same":
        K, V = Q.copy(), Q.copy()
    elif kind == "offset":  # every score of a row is high, or every one is low
        Q, K = _offset(rng, seq_len, num_heads, d_k)
    elif kind == "ties":
        K = np.tile(K[:1], (seq_len, 1))
    elif kind == "far":  # one key leads each row by hundreds, and it may stand anywhere
        Q, K = (np.round(100 * rng.standard_normal(shape)) for _ in range(2))
        V = V + 1000 * rng.integers(-1, 2)
    return Q, K, V, num_heads


def _sizes(rng):
    seq_len, num_heads, d_k = (int(n) for n in rng.integers([1, 1, 1], [8, 5, 6]))
    kind = rng.integers(8)
    if kind == 0:
        seq_len = num_heads = d_k = int(rng.integers(1, 4))
    elif kind == 1:
        seq_len = int(rng.integers(1, 3))
    elif kind == 2:
        num_heads, d_k = num_heads * d_k, 1
    return seq_len, num_heads, d_k


def _offset(rng, seq_len, num_heads, d_k):
    """Scores in the thousands, above or below zero, whose differences inside a row are small."""
    K = 16.0 + rng.integers(0, 5, size=(seq_len, num_heads, d_k)) / 8
    Q = rng.choice([-1.0, 1.0], size=(seq_len, num_heads, 1)) * np.ones((1, 1, d_k))
    Q = Q * rng.choice([0.0, 1.0, 64.0, 256.0], size=(seq_len, num_heads, 1))
    return Q.reshape(seq_len, -1), K.reshape(seq_len, -1)
