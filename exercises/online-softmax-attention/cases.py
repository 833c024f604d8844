"""The six test cases of online-softmax-attention, and two examples."""
import numpy as np


def _normal(seed, n_q, d_k, n_k, d_v, block_size):
    rng = np.random.default_rng(seed)
    Q, K = rng.standard_normal((n_q, d_k)), rng.standard_normal((n_k, d_k))
    return Q, K, rng.standard_normal((n_k, d_v)), block_size


def worked_growing_maximum():
    """The statement's first example: a single query, and a maximum that grows in every block."""
    K = np.array([[0.0], [np.log(3.0)], [np.log(4.0)]])
    return np.array([[1.0]]), K, np.array([[8.0], [0.0], [4.0]]), 1


def blocks_that_divide():
    """Six keys in three blocks of two. Also square outputs, and more queries and features."""
    return [
        _normal(1201, 3, 5, 6, 4, 2),
        _normal(1208, 4, 5, 6, 4, 2),
        _normal(1209, 4, 4, 4, 4, 2),
        _normal(1210, 8, 7, 10, 9, 5),
    ]


def ragged_last_block():
    """Seven keys in blocks of three: the last block holds a single key."""
    return _normal(1202, 4, 5, 7, 2, 3)


def one_block():
    """A block larger than the number of keys: plain attention, with its lse."""
    return _normal(1203, 2, 3, 5, 4, 64)


def very_negative():
    """All scores are very negative, from about a thousand below zero to far more than billions."""
    y = np.array([0.0, 2.0, -2.0, 4.0, -4.0])
    K = np.stack([np.ones(5), y, np.zeros(5), np.array([2.0, 0.0, 1.0, -1.0, 0.0])], axis=1)
    Q = np.array([
        [-(2.0**110), 2.0**100, 5.0, 0.0],  # float32 still holds it
        [-(2.0**24), 1.0, 2.0, 0.0],
        [-(2.0**18), -0.5, 1.0, 0.0],
        [-(2.0**11), 0.5, 3.0, 1.0],
    ])
    return Q, K, np.array([[1.0, -2.0], [3.0, 0.5], [-1.0, 4.0], [2.0, 2.0], [0.0, -3.0]]), 2


def logits_in_the_thousands():
    """Scores in the thousands. Some queries find their best key in the first block, some in the
    last.
    """
    y = np.array([0.0, 1.0, -1.0, 2.0, 0.5, -2.0, 1.5, -0.5, 3.0])
    first, last = np.zeros(9), np.zeros(9)
    first[1], last[8] = 1.0, 1.0
    K = np.stack([np.ones(9), y, first, last], axis=1)
    Q = np.array([
        [8000.0, 1.0, 0.0, 0.0],
        [-6000.0, -1.0, 0.0, 0.0],
        [2.0, 1.0, 6000.0, 0.0],
        [0.0, -2.0, 0.0, 5000.0],
        [1.0, 3.0, 0.0, -1.0],
    ])
    return Q, K, np.arange(18.0).reshape(9, 2) % 7 - 3.0, 4


def worked_very_negative():
    """Example: two equal scores of -1000 in one block."""
    return np.array([[1.0]]), np.full((2, 1), -1000.0), np.array([[1.0], [3.0]]), 2


def seven_keys_by_three():
    """Example: five queries, seven keys in blocks of three; all sizes differ."""
    return _normal(1207, 5, 4, 7, 2, 3)
