"""The six test cases of kv-cache-step, and two examples."""
import numpy as np


def _normal(seed, m, t, num_heads, d_k):
    rng = np.random.default_rng(seed)
    new = [rng.standard_normal((m, num_heads * d_k)) for _ in range(3)]
    old = [rng.standard_normal((t, num_heads * d_k)) for _ in range(2)]
    return (*new, *old, num_heads)


def worked_two_on_one():
    """The statement's first example: two new tokens on one old one, one head."""
    new = np.zeros((2, 1)), np.zeros((2, 1)), np.array([[4.0], [9.0]])
    return *new, np.zeros((1, 1)), np.array([[2.0]]), 1


def one_new_token():
    """One token on a cache of four: the usual step, which needs no mask."""
    return _normal(1101, 1, 4, 2, 3)


def empty_cache():
    """The very first token: nothing is cached, so the token sees only itself. Every head is one
    column.
    """
    return _normal(1102, 1, 0, 4, 1)


def chunk_on_cache():
    """Three tokens arrive at once on a cache of four; no two sizes are equal. Also more tokens and
    more heads.
    """
    return [_normal(1103, 3, 4, 2, 5), _normal(1108, 6, 7, 12, 4)]


def prefill():
    """Five tokens on an empty cache, two heads of width five: a plain causal forward pass."""
    return _normal(1104, 5, 0, 2, 5)


def large_scores():
    """Four tokens on a cache of three, with scores from far below minus a billion to plus thousands. A
    hidden score may be the largest.
    """
    # Four heads of one column, so a score is a product of two numbers, and float32 holds it. In
    # head 0 all scores are equal and as low as float32 goes, so that no finite number can stand
    # for a hidden one; in head 1 each row has an offset of its own, in head 2 one key leads each
    # row by thousands, in head 3 the last key leads, which only the last token may see.
    lowest = float(np.finfo(np.float32).min)
    y = 1 + np.array([0.0, 2.0, 1.0, 3.0, 2.0, 0.0, 4.0]) / 1024
    far = np.array([0.0, -3.0, 2.0, 3.0, -2.0, 1.0, -1.0])
    last = np.array([0.0, 1.0, -1.0, 2.0, 0.5, 1.5, 4096.0])
    K = np.stack([np.ones(7), y, far, last], axis=1)
    q = np.array([
        [lowest, -(2.0**17), 2.0**11, 2.0**4],
        [lowest, -(2.0**27), -(2.0**12), 2.0**20],
        [lowest, -(2.0**12), 2.0**12, 2.0],
        [lowest, 2.0**10, -(2.0**11), 1.0],
    ])
    V = np.arange(28.0).reshape(7, 4) % 9 - 4.0
    return q, K[3:], V[3:], K[:3], V[:3], 4


def worked_one_token():
    """Example: one new token on one old one, two heads of width 1."""
    old = np.array([[1.0, 2.0]]), np.array([[1.0, 10.0]])
    return np.zeros((1, 2)), np.array([[7.0, 7.0]]), np.array([[3.0, 30.0]]), *old, 2


def three_on_four():
    """Example: a chunk of three on a cache of four, two heads of width 5; all sizes differ."""
    return _normal(1107, 3, 4, 2, 5)


def newest_of_each():
    """Example: three new tokens on two old ones, two heads of width 2. Every new token attends only to
    the last token it may see, itself, so row i of a right output holds token 2 + i.
    """
    q, k, k_cache = np.zeros((3, 4)), np.zeros((3, 4)), np.zeros((2, 4))
    q[:, [0, 2]] = 100.0
    k_cache[:, [0, 2]] = 10.0 * np.arange(2)[:, None]
    k[:, [0, 2]] = 10.0 * np.arange(2, 5)[:, None]
    values = np.sin(np.arange(1.0, 21.0)).reshape(5, 4)
    return q, k, values[2:], k_cache, values[:2], 2
