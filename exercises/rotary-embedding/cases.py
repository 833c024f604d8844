"""The six test cases of rotary-embedding, and an example whose sizes all differ."""
import numpy as np


def worked_one_pair():
    """The statement's first example: one pair at positions 0, 1 and 2."""
    return np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]]), np.array([0, 1, 2])


def worked_two_pairs():
    """The statement's second example: a single token at position 100."""
    return np.array([[1.0, 2.0, 3.0, 4.0]]), np.array([100])


def given_positions():
    """Five tokens whose positions are neither sorted nor consecutive; one of them is position 0."""
    rng = np.random.default_rng(902)
    return rng.standard_normal((5, 6)), np.array([7, 3, 100, 0, 12])


def several_heads():
    """Three heads share the positions of five tokens; the token axis is the one before the last.
    Also as many tokens as columns, and more of both.
    """
    rng = np.random.default_rng(903)
    return [
        (rng.standard_normal((3, 5, 4)), np.arange(10, 15)),
        (rng.standard_normal((2, 6, 6)), np.arange(3, 9)),
        (rng.standard_normal((4, 4)), np.arange(20, 24)),
        (rng.standard_normal((11, 12)), np.arange(7, 18)),
    ]


def other_base():
    """A base of 500 and four pairs: every pair turns at its own speed."""
    rng = np.random.default_rng(904)
    return rng.standard_normal((4, 8)), np.arange(1, 5), 500.0


def far_positions():
    """Positions up to 100000, with a batch axis and a head axis in front."""
    rng = np.random.default_rng(906)
    return rng.standard_normal((2, 3, 4, 8)), np.array([0, 1, 4096, 100000])


def two_heads_of_five():
    """Example: two heads, five tokens, three pairs; all sizes differ."""
    rng = np.random.default_rng(907)
    return rng.standard_normal((2, 5, 6)), np.array([3, 0, 8, 1, 21])
