"""The six test cases of multi-head-attention-layer, and two more examples."""
import numpy as np


def _normal(seed, n_q, n_kv, d_model, num_heads):
    """Random tokens and dense projections that keep the size of a token."""
    rng = np.random.default_rng(seed)
    x_q, x_kv = rng.standard_normal((n_q, d_model)), rng.standard_normal((n_kv, d_model))
    W_Q, W_K, W_V, W_O = (rng.standard_normal((d_model, d_model)) / d_model**0.5 for _ in range(4))
    return x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads


def identity_projections():
    """The statement's first example: with identity projections only the head core is left."""
    x = np.array([[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0]])
    return x, x.copy(), np.eye(4), np.eye(4), np.eye(4), np.eye(4), 2


def averages_then_mixes():
    """The statement's second example: one zero query averages, then W_V and W_O mix."""
    x_kv = np.array([[1.0, 3.0], [5.0, 7.0]])
    W_V = np.array([[1.0, 1.0], [0.0, 1.0]])
    W_O = np.array([[1.0, 0.0], [10.0, 1.0]])
    return np.zeros((1, 2)), x_kv, np.eye(2), np.eye(2), W_V, W_O, 2


def self_attention():
    """Four tokens that ask and answer, three heads of width four, dense projections."""
    x, _, W_Q, W_K, W_V, W_O, num_heads = _normal(502, 4, 4, 12, 3)
    return x, x.copy(), W_Q, W_K, W_V, W_O, num_heads


def cross_attention():
    """Six tokens ask three others, five heads of width two: keys and values come from x_kv. Also as
    many tokens as features, and more heads.
    """
    return [
        _normal(503, 6, 3, 10, 5),
        _normal(508, 6, 4, 6, 3),
        _normal(509, 4, 4, 4, 2),
        _normal(510, 8, 9, 36, 12),
    ]


def output_projection_shifts_columns():
    """One querying token; W_O is a cyclic shift, so a transposed one moves columns the other way."""
    x_q, x_kv, W_Q, W_K, W_V, _, num_heads = _normal(504, 1, 5, 6, 2)
    return x_q, x_kv, W_Q, W_K, W_V, np.roll(np.eye(6), 1, axis=1), num_heads


def equal_lengths_large_scores():
    """Seven tokens ask seven others, two heads, and scores in the thousands.

    In head 0 rows have offsets of 2000, -2000, 1000 and 0 after scaling. In head 1 any two scores of
    a row but one are 1000 apart or more, and the largest stands anywhere: a shift by any other score
    overflows. All numbers are whole or halves, so that float32 loses nothing.
    """
    rng = np.random.default_rng(505)
    offset = np.array([4000.0, -4000.0, 0.0, 2000.0, -2000.0, 0.0, 0.0])
    x = np.array([100.0, -200.0, 3.0, -100.0, 200.0, 100.0, -3.0])
    zero, one = np.zeros(7), np.ones(7)
    apart = np.array([
        [0.0, 3.0, -1.0, 1.0, -2.0, -3.0, 2.0],
        [-1.0, -5.0, -3.0, -2.0, -4.0, -7.0, -6.0],
        [1.0, -2.0, -1.0, 2.0, 0.0, -3.0, 3.0],
    ])
    pick = 2000 * np.array([
        [1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, -1.0],
        [0.0, 0.0, 0.0, 0.0, 1.0, -1.0, 0.0],
    ])
    q = np.stack([offset, x, zero, one, *pick, zero], axis=1)
    y = np.array([0.0, 1.0, 2.0, -1.0, 4.0, 0.5, -2.0])
    k = np.stack([one, y, zero, zero, *apart, zero], axis=1)
    W_V, W_O = (rng.integers(-2, 3, size=(8, 8)).astype(float) for _ in range(2))
    x_q, x_kv = np.roll(q, -1, axis=1), np.roll(k, 1, axis=1)  # W_Q and W_K roll them into place
    return x_q, x_kv, np.roll(np.eye(8), 1, axis=1), np.roll(np.eye(8), -1, axis=1), W_V, W_O, 2


def all_sizes_differ():
    """Example: three tokens ask five others, four heads of width two; all sizes differ."""
    return _normal(507, 3, 5, 8, 4)


def a_token_per_head():
    """Example: three tokens ask five others, two heads of width two. W_V and W_O change nothing, and W_K
    shows both heads the same direction. In head 0 query i attends only to token i, in head 1 only to
    the next one.
    """
    angle = 2 * np.pi * np.arange(5) / 5 + 0.1
    hands = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    x_kv = np.concatenate([hands, np.sin(np.arange(1.0, 11.0)).reshape(5, 2)], axis=1)
    W_K = np.zeros((4, 4))
    W_K[:2] = 40 * np.tile(np.eye(2), 2)
    x_q = np.concatenate([hands[:3], hands[1:4]], axis=1)
    return x_q, x_kv, 40 * np.eye(4), W_K, np.eye(4), np.eye(4), 2
