"""Random legal inputs of kv-cache-step."""
import numpy as np

LARGEST = float(np.finfo(np.float32).max)  # no number is larger, so float32 holds them all


def draw(rng):
    """Counts of new and old tokens, heads and their width, then one of five kinds of numbers."""
    m, t, num_heads, d_k = _sizes(rng)
    kind = rng.choice(["plain", "plain", "same", "offset", "ties", "far", "lowest"])
    if kind in ("offset", "far", "lowest"):  # the division by sqrt(d_k) is exact, in float32 too
        d_k = 1 if kind == "lowest" else int(rng.choice([1, 4]))
    width = num_heads * d_k
    q, k, v = (rng.standard_normal((m, width)) for _ in range(3))
    k_cache, v_cache = (rng.standard_normal((t, width)) for _ in range(2))
    if kind == "same":
        k, v = q.copy(), q.copy()
    elif kind == "offset":  # every score of a row is high, or every one is low
        k, k_cache = (16.0 + rng.integers(0, 5, size=(n, width)) / 8 for n in (m, t))
        rows = rng.choice([-256.0, -64.0, -1.0, 0.0, 64.0, 256.0], size=(m, num_heads, 1))
        q = np.tile(rows, (1, 1, d_k)).reshape(m, width)
    elif kind == "ties":
        k, k_cache = np.ones((m, width)), np.ones((t, width))
    elif kind == "far":  # one key leads each row by hundreds, often a hidden one
        q, k, k_cache = (np.round(100 * x) for x in (q, k, k_cache))
        v = v + 1000 * rng.integers(-1, 2)
    elif kind == "lowest":  # scores as low as numbers that are used in the place of -inf
        q = -rng.choice([1e4, 1e9, 1e20, LARGEST], size=(m, width))
        k, k_cache = np.ones((m, width)), np.ones((t, width))
    return q, k, v, k_cache, v_cache, num_heads


def _sizes(rng):
    m, t, num_heads, d_k = (int(n) for n in rng.integers([1, 0, 1, 1], [6, 7, 4, 5]))
    kind = rng.integers(6)
    if kind == 0:
        m = t = num_heads = d_k = int(rng.integers(1, 4))
    elif kind == 1:
        t = 0
    elif kind == 2:
        m = 1
    elif kind == 3:
        num_heads, d_k = num_heads * d_k, 1
    return m, t, num_heads, d_k
