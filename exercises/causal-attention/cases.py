"""The six test cases of causal-attention, and two more examples."""
import numpy as np


def _normal(seed, n_q, n_k, d_k, d_v):
    rng = np.random.default_rng(seed)
    return (
        rng.standard_normal((n_q, d_k)),
        rng.standard_normal((n_k, d_k)),
        rng.standard_normal((n_k, d_v)),
    )


def equal_scores():
    """The statement's first example: three tokens that score every key alike."""
    return np.zeros((3, 2)), np.zeros((3, 2)), np.array([[6.0], [2.0], [1.0]])


def one_new_token():
    """The statement's second example: one new token on top of two cached ones."""
    return np.array([[0.0]]), np.array([[5.0], [-1.0], [2.0]]), np.array([[3.0], [4.0], [8.0]])


def tempting_future():
    """The last key and value are huge: any glimpse of the future is unmissable."""
    Q, K, V = _normal(302, 5, 5, 4, 4)
    K[-1] = 5e12 * np.abs(K[-1])  # leads by more than any fill value in common use
    V[-1] = 1e4
    return np.abs(Q), K, V


def three_queries_on_five_keys():
    """More keys than queries, and one allowed score is exactly 0."""
    Q, K, V = _normal(303, 3, 5, 4, 2)
    Q[:, 3] = 0
    K[1, :3] = 0
    return Q, 3 * K, V


def more_queries_than_keys():
    """The first rows have no key: zeros, not nan and not an average. Also square outputs, and more
    tokens and features.
    """
    return [
        _normal(305, 5, 3, 3, 2),
        _normal(308, 4, 6, 3, 4),
        _normal(309, 4, 4, 4, 4),
        _normal(310, 7, 8, 9, 10),
    ]


def very_negative_scores():
    """Allowed scores far below zero, further in some rows than in others."""
    # Row 0 sees one key, and its score is the lowest number of float32: whatever finite number
    # stands for a hidden score weighs at least as much. Rows 1 to 3 lie between the numbers in
    # common use, to tell these apart. float32 holds all scores exactly.
    lowest = float(np.finfo(np.float32).min)
    Q = np.array([[lowest], [-(2.0**17)], [-(2.0**27)], [-(2.0**40)], [-(2.0**10)]])
    K = 1 + np.array([[0.0], [2.0], [1.0], [0.5], [3.0]]) / 1024
    return Q, K, _normal(306, 1, 5, 1, 3)[2]


def square_triangle():
    """Example: four tokens, the ordinary triangle."""
    return _normal(301, 4, 4, 3, 3)


def four_queries_six_keys():
    """Example: all sizes differ, so shapes can be told apart."""
    return _normal(307, 4, 6, 3, 2)


def newest_of_three_on_five():
    """Example: three queries, five keys. Every query attends only to the last key it may see, so row i
    of a right output holds that token.
    """
    Q, K = np.zeros((3, 2)), np.zeros((5, 2))
    Q[:, 0], K[:, 0] = 100.0, 10.0 * np.arange(5)
    return Q, K, np.sin(np.arange(1.0, 21.0)).reshape(5, 4)
