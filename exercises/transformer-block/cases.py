"""The six test cases of transformer-block, and two examples."""
import numpy as np


def _block(rng, n, d, d_ff):
    p = {name: rng.standard_normal((d, d)) / d**0.5 for name in ("W_Q", "W_K", "W_V", "W_O")}
    p["W_1"], p["b_1"] = rng.standard_normal((d, d_ff)) / d**0.5, rng.standard_normal(d_ff)
    p["W_2"], p["b_2"] = rng.standard_normal((d_ff, d)) / d_ff**0.5, rng.standard_normal(d)
    for norm in ("ln1", "ln2"):
        p[norm + "_g"] = 1 + 0.3 * rng.standard_normal(d)
        p[norm + "_b"] = 0.3 * rng.standard_normal(d)
    return rng.standard_normal((n, d)), p


def _plain_norms():
    return {"ln1_g": np.ones(2), "ln1_b": np.zeros(2), "ln2_g": np.ones(2), "ln2_b": np.zeros(2)}


def open_residual_path():
    """The statement's first example: both halves are off except for b_2, so the stream passes
    through.
    """
    p = {name: np.ones((2, 2)) for name in ("W_Q", "W_K", "W_V", "W_1")}
    p |= {"W_O": np.zeros((2, 2)), "W_2": np.zeros((2, 2))}
    p |= {"b_1": np.zeros(2), "b_2": np.array([10.0, 20.0])}
    return np.array([[1.0, 3.0], [2.0, 0.0]]), p | _plain_norms(), 1


def small_block():
    """Every part at once: five tokens, two heads of width three, d_ff = 10; no two sizes are
    equal.
    """
    x, p = _block(np.random.default_rng(1301), 5, 6, 10)
    return x, p, 2


def one_token():
    """A single token and a single head: attention has one place to look, however large the score.
    """
    x, p = _block(np.random.default_rng(1302), 1, 4, 8)
    p["W_Q"] = 1e4 * p["W_Q"]
    return x, p, 1


def attention_only():
    """The feed-forward half is off, eps is 0.5, and the scores of the three heads reach from
    hundreds to billions.
    """
    x, p = _block(np.random.default_rng(1602), 5, 6, 8)
    p["W_Q"] = p["W_Q"] * np.repeat([1e11, 1e6, 1e3], 2)
    p |= {"W_2": np.zeros((8, 6)), "b_2": np.zeros(6)}
    return x, p, 3, 0.5


def feed_forward_only():
    """Attention is off and eps is 0.1: the second norm, GELU and the biases alone."""
    x, p = _block(np.random.default_rng(1305), 3, 4, 16)
    p["W_O"] = np.zeros((4, 4))
    return 3 + 2 * x, p, 1, 0.1


def realistic_width():
    """Seven tokens of width 32, four heads, d_ff = 128."""
    x, p = _block(np.random.default_rng(1306), 7, 32, 128)
    return x, p, 4


def worked_attention():
    """Example: attention averages the values it sees, and the feed-forward half is off."""
    p = {"W_Q": np.zeros((2, 2)), "W_K": np.zeros((2, 2)), "W_V": np.eye(2), "W_O": np.eye(2)}
    p |= {"W_1": np.ones((2, 2)), "b_1": np.zeros(2), "W_2": np.zeros((2, 2)), "b_2": np.zeros(2)}
    return np.array([[1.0, 3.0], [2.0, 0.0]]), p | _plain_norms(), 1


def three_tokens_two_heads():
    """Example: three tokens of width 8, two heads of width 4, d_ff = 10; all sizes differ."""
    x, p = _block(np.random.default_rng(1307), 3, 8, 10)
    return x, p, 2
