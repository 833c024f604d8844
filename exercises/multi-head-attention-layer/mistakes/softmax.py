"""The softmax runs over another axis."""
import numpy as np


def softmax_over_queries(scores):
    """Softmax over the queries

    The weights sum to 1 down each column, so queries compete for a key. Every query should
    spread its own weight of 1 over the keys.

    Hint: 4
    """
    return softmax(scores.swapaxes(1, 2)).swapaxes(1, 2)


def one_in_denominator(scores):
    """A 1 is added to the sum of the exponentials

    The weights of a row sum to less than 1, most of all where all scores are low. A 1 is added to
    the denominator; only the exponentials of the row belong there.

    Hint: 4
    """
    powers = np.exp(shift(scores))
    return powers / (1.0 + powers.sum(axis=-1, keepdims=True))


def not_normalised(scores):
    """The exponentials are not normalised

    The exponentials are never divided by their sum. In each row the largest is 1, so the row sums
    to more than that, and the output grows with it. What should the weights of one query sum to?

    Hint: 4
    """
    return np.exp(shift(scores))


def numerator_shifted(scores):
    """Only the numerator is shifted

    The shift is in the numerator but not in the denominator, so the weights no longer sum to 1.
    Both must use the same shifted scores.

    Hint: 4
    """
    return np.exp(shift(scores)) / np.exp(scores).sum(axis=-1, keepdims=True)
