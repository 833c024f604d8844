"""Wrong log-sum-exps, beside a right output."""
import numpy as np


def lse_without_max(m, l):
    """The lse forgets the maximum

    The output is right, but the lse is too small by the maximum. The sum was taken of exponentials
    that had the maximum subtracted. The logarithm has to get it back.

    Hint: 4
    """
    return np.log(l)[:, 0]


def lse_without_log(m, l):
    """The lse adds the sum, not its logarithm

    The output is right; the lse adds the sum where its logarithm belongs. The name says the order:
    the logarithm of a sum of exponentials.

    Hint: 4
    """
    return (m + l)[:, 0]


def lse_maximum_only(m, l):
    """The lse is only the maximum

    The output is right, but what comes back as lse is the maximum alone. It approximates the lse
    when one score leads by far. The logarithm of the sum is missing.

    Hint: 4
    """
    return m[:, 0]


def lse_is_the_sum(m, l):
    """The sum comes back instead of lse

    The output is right, but the second result is the running sum. It is relative to the maximum,
    so it says little alone. The lse holds both, the sum and the maximum.

    Hint: 4
    """
    return l[:, 0]


def lse_base_two(m, l):
    """The lse uses logarithms of base 2

    The output is right, but the logarithm in the lse has base 2. The exponentials have base e, and
    so must the logarithm.

    Hint: 4
    """
    return (m + np.log2(l))[:, 0]


def lse_keeps_axis(m, l):
    """The lse has a second axis

    The lse comes back as a column, with an axis of length 1. That axis is useful inside the loop.
    The result has one number for each query, shape (n_q,).

    Hint: 3
    """
    return log_sum_exp(m, l)[:, None]


def lse_squeezed(m, l):
    """The lse is squeezed

    The lse of a single query comes back without its axis. Squeezing removes every axis of length
    1. The lse is always (n_q,).

    Hint: 3
    """
    return np.squeeze(log_sum_exp(m, l))
