"""Nothing, or something that is not each slice's own maximum, is taken off before np.exp."""
import numpy as np


def no_shift(x, axis=-1):
    """Exponentiates the raw scores

    The weights are right for small scores but `nan` for large ones. np.exp overflows before the
    division can save it, and very negative rows become 0/0. Softmax does not change when a
    constant comes off every score of a slice: which one keeps every exponent at or below 0?

    Hint: 1
    """
    powers = np.exp(x)
    return powers / powers.sum(axis=axis, keepdims=True)


def global_max(x, axis=-1):
    """One maximum for the whole array

    The shift is the largest number of the whole array. A slice that lies 800 below it underflows
    to zeros only, and 0 is divided by 0. How many maxima does an array with several slices need?

    Hint: 3
    """
    powers = np.exp(x - np.max(x))
    return powers / powers.sum(axis=axis, keepdims=True)


def mean_shift(x, axis=-1):
    """Subtracts the mean instead of the maximum

    Taking off the mean is allowed by algebra, but it does not bound the exponents. One score far
    above the mean of its slice still overflows. Which number of the slice guarantees that no
    exponent is above 0?

    Hint: 2
    """
    powers = np.exp(x - x.mean(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def min_shift(x, axis=-1):
    """Subtracts the minimum instead of the maximum

    With the minimum taken off, every exponent is 0 or above. That moves large scores out of danger
    only while the spread is small: a slice that reaches from -10000 to 10000 still overflows, and a
    slice with -inf in it has no finite minimum. Which end of the slice should land on 0?

    Hint: 2
    """
    powers = np.exp(x - x.min(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def largest_magnitude(x, axis=-1):
    """Subtracts the largest absolute value

    The shift ignores the sign of the scores. For a slice around -10000 it takes off 10000 more, so
    every exponential underflows and 0 is divided by 0. The shift should bring the largest score
    to 0, whatever its sign.

    Hint: 2
    """
    powers = np.exp(x - np.abs(x).max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def clipped_scores(x, axis=-1):
    """Cuts the scores off at 500

    Cutting large scores off keeps np.exp finite but changes the answer. Different scores beyond the
    limit become ties. A shift keeps all differences inside a slice, and softmax depends on nothing
    else.

    Hint: 2
    """
    powers = np.exp(np.clip(x, -500, 500))
    return powers / powers.sum(axis=axis, keepdims=True)


def nan_to_zero(x, axis=-1):
    """Replaces nan after the fact

    The overflow is still there; its nan is only painted over with 0. Rows in the thousands lose
    their weights and no longer sum to 1. The scores have to be made harmless before np.exp.

    Hint: 1
    """
    powers = np.exp(x)
    return np.nan_to_num(powers / powers.sum(axis=axis, keepdims=True))


def maximum_has_a_floor(x, axis=-1):
    """The maximum cannot fall below a fixed number

    Slices that lie far below zero turn into `nan`. The search for the maximum starts at a large
    negative number, so a slice below it is shifted by that number and underflows. What lies below
    every score?

    Hint: 2
    """
    top = np.maximum(x.max(axis=axis, keepdims=True), -1e9)
    powers = np.exp(x - top)
    return powers / powers.sum(axis=axis, keepdims=True)
