"""Random legal inputs of transformer-block."""
import numpy as np

LARGEST = float(np.finfo(np.float32).max)  # no number is larger, so float32 holds them all


def draw(rng):
    """Sizes, then a whole block, or one of its halves, with ordinary scores or far apart."""
    n, num_heads, d_k, d_ff = (int(m) for m in rng.integers([1, 1, 1, 1], [6, 4, 4, 9]))
    kind = rng.choice(["plain", "plain", "attention", "feed-forward", "far", "even", "lowest"])
    if rng.integers(5) == 0:
        n = num_heads = d_k = int(rng.integers(1, 3))
    elif kind == "lowest":
        num_heads, d_k = 2, 1
    d = num_heads * d_k
    x, p = _block(rng, n, d, d_ff)
    if kind == "attention":
        p["W_2"], p["b_2"] = np.zeros((d_ff, d)), np.zeros(d)
    elif kind == "feed-forward":
        p["W_O"] = np.zeros((d, d))
    elif kind == "far":  # scores from hundreds to billions
        p["W_Q"] = 10.0 ** rng.integers(3, 10) * p["W_Q"]
    elif kind == "even":  # every score is 0, and the tokens lie far from zero
        x, p["W_Q"] = 50 + 5 * x, np.zeros((d, d))
    elif kind == "lowest" and (num_heads, d_k) == (2, 1):  # numbers used in the place of -inf
        p["ln1_g"], p["ln1_b"] = np.array([1.0, 0.0]), np.array([0.0, 1.0])  # the second is 1
        p["W_Q"] = np.array([[0.0, 0.0], [-1e9, -LARGEST]])
        p["W_K"] = np.array([[0.0, 0.0], [1.0, 1.0]])
    if rng.integers(2) == 0:
        return x, p, num_heads
    return x, p, num_heads, float(rng.choice([1e-5, 1e-3, 0.1, 0.5]))


def _block(rng, n, d, d_ff):
    p = {name: rng.standard_normal((d, d)) / d**0.5 for name in ("W_Q", "W_K", "W_V", "W_O")}
    p["W_1"], p["b_1"] = rng.standard_normal((d, d_ff)) / d**0.5, rng.standard_normal(d_ff)
    p["W_2"], p["b_2"] = rng.standard_normal((d_ff, d)) / d_ff**0.5, rng.standard_normal(d)
    for norm in ("ln1", "ln2"):
        p[norm + "_g"] = 1 + 0.3 * rng.standard_normal(d)
        p[norm + "_b"] = 0.3 * rng.standard_normal(d)
    return rng.standard_normal((n, d)), p
