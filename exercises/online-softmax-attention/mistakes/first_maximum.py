"""Wrong starts of the running maximum."""
import numpy as np


def max_from_zero(n_q):
    """The running maximum starts at 0

    The running maximum starts at 0, so it can never be negative. When all scores are very
    negative, every exponential is 0 and the end is 0 divided by 0. The start has to be below every
    score.

    Hint: 4
    """
    return np.zeros((n_q, 1))


def finite_sentinel(n_q):
    """The running maximum starts at -5e4

    The stand-in for minus infinity is larger than some real scores. A production kernel was
    shipped with this bug. NumPy has a value below every score, and exp of it is exactly 0.

    Hint: 5
    """
    return np.full((n_q, 1), -5e4)


def sentinel_minus_1e6(n_q):
    """The running maximum starts at -1e6

    The running maximum starts at -1e6, and some real scores are lower still. NumPy has a value
    below every score, and exp of it is exactly 0.

    Hint: 5
    """
    return np.full((n_q, 1), -1e6)


def sentinel_minus_1e9(n_q):
    """The running maximum starts at a finite number

    The running maximum starts too high, since some real scores are lower still. Even -1e9 or -1e30
    is a score like others. NumPy has a value below every score, and exp of it is exactly 0.

    Hint: 5
    """
    return np.full((n_q, 1), -1e9)
