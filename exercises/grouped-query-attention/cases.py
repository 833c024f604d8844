"""The six test cases of grouped-query-attention, and two examples."""
import numpy as np


def _normal(seed, n_q, n_k, num_q_heads, num_kv_heads, d):
    rng = np.random.default_rng(seed)
    Q = rng.standard_normal((n_q, num_q_heads * d))
    K, V = (rng.standard_normal((n_k, num_kv_heads * d)) for _ in range(2))
    return Q, K, V, num_q_heads, num_kv_heads


def worked_two_groups():
    """The statement's first example: zero queries spell out which query head reads which KV head.
    """
    return np.zeros((1, 4)), np.zeros((2, 2)), np.array([[1.0, 10.0], [3.0, 30.0]]), 4, 2


def all_sizes_differ():
    """Six query heads of width 5 in groups of three; no two sizes are equal, so no mix-up can
    hide.
    """
    return _normal(1001, 4, 7, 6, 2, 5)


def multi_query():
    """One KV head serves three query heads."""
    return _normal(1002, 4, 6, 3, 1, 5)


def multi_head():
    """As many KV heads as query heads: this has to equal multi-head attention."""
    return _normal(1003, 4, 4, 3, 3, 2)


def single_query():
    """A single query over seven keys, as in generation; six query heads on three KV heads."""
    return _normal(1004, 1, 7, 6, 3, 4)


def large_scores():
    """Scores in the thousands: only a softmax shifted by the maximum of each row survives."""
    x = np.array([1.0, -2.0, 3.0, -1.0, 2.0])
    y = np.array([0.0, 1.0, -1.0, 2.0, 0.5, -2.0])
    offset = np.array([4000.0, -4000.0, 0.0, 2000.0, -2000.0])
    lead = np.array([0.0, 0.0, 4000.0, 0.0, 0.0])
    first = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 0.0])
    zero, one = np.zeros(5), np.ones(5)
    Q = np.stack([
        offset, x, zero, zero,
        zero, -x, lead, zero,
        -3000 * one, x + 1, zero, zero,
        8000 * one, -x, zero, zero,
    ], axis=1)
    K = np.stack([np.ones(6), y, first, np.zeros(6), np.ones(6), -2 * y, first, np.ones(6)], axis=1)
    return Q, K, np.arange(48.0).reshape(6, 8) % 7 - 3.0, 4, 2


def worked_multi_query():
    """Example: two query heads on one KV head, each with its own weights."""
    return np.array([[np.log(3.0), 0.0]]), np.array([[1.0], [0.0]]), np.array([[8.0], [4.0]]), 2, 1


def five_by_seven():
    """Example: five queries, seven keys, six query heads of width 4 on two KV heads; all sizes
    differ.
    """
    return _normal(1007, 5, 7, 6, 2, 4)
