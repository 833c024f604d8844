"""The six test cases of multi-head attention, in order, and two examples.

Traps they avoid: d_k = num_heads, seq_len = d_k, Q = K, d_k a perfect square, symmetric weights,
a saturated softmax. Each of these hides a mistake that is often made.
"""

import numpy as np


def _normal(seed, seq_len, d_model, num_heads):
    rng = np.random.default_rng(seed)
    return (*(rng.standard_normal((seq_len, d_model)) for _ in range(3)), num_heads)


def worked_example():
    """The statement's first example: two tokens, two heads."""
    Q = np.array([[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0]])
    V = np.array([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]])
    return Q, Q.copy(), V, 2


def eight_heads():
    """The statement's second example: four tokens, eight heads of width eight."""
    return _normal(402, 4, 64, 8)


def all_sizes_differ():
    """Seven tokens, three heads of width five: no two sizes are equal, so no mix-up can hide."""
    return _normal(403, 7, 15, 3)


def one_head():
    """num_heads = 1 is plain scaled dot-product attention."""
    return _normal(404, 6, 5, 1)


def one_column_per_head():
    """One token and num_heads = d_model: every head is one column, the smallest sizes there are."""
    return _normal(405, 1, 7, 7)


def large_scores():
    """Scores in the thousands: only a softmax shifted by each row's own maximum survives."""
    # Head 0 has row offsets of +-2000 after scaling, with differences of a few units inside a row;
    # head 1 has the same offset in every row, and one row with a spread of 2000. d_k = 4, so the
    # division is exact and a float32 solution passes too.
    offset_0 = np.array([4000.0, -4000.0, 0.0, 2000.0, -2000.0])
    offset_1 = np.full(5, -3000.0)
    x = np.array([1.0, -2.0, 3.0, -1.0, 2.0])
    y = np.array([0.0, 1.0, -1.0, 2.0, 0.5])
    far = np.array([0.0, 0.0, 0.0, 0.0, 4000.0])
    pick = np.array([0.0, 0.0, 0.0, 1.0, 1.0])
    zero, one = np.zeros(5), np.ones(5)
    Q = np.stack([offset_0, x, zero, zero, offset_1, -x, far, zero], axis=1)
    K = np.stack([one, y, zero, zero, one, y, pick, zero], axis=1)
    V = np.arange(40.0).reshape(5, 8) % 7 - 3.0
    return Q, K, V, 2


def three_columns_per_head():
    """Example: two tokens, two heads of width three, a different pattern in each head."""
    # Unlike the first example it tells interleaved heads, exchanged Q and K, the wrong softmax
    # axis and sqrt(num_heads) from the right answer.
    Q = np.array([[1.0, 0, 0, 0, 2.0, 0], [0, 1.0, 0, 0, 0, 1.0]])
    K = np.array([[2.0, 0, 0, 0, 1.0, 1.0], [0, 0, 1.0, 1.0, 0, 0]])
    V = np.array([[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0]])
    return Q, K, V, 2


def all_sizes_5x12():
    """Example: five tokens, three heads of width four; no two sizes are equal."""
    return _normal(403, 5, 12, 3)
