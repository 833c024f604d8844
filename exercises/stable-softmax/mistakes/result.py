"""The steps are there, but one is left out, added, or done to the caller's array."""
import numpy as np


def mutates_input(x, axis=-1):
    """Works in place on the caller's array

    The numbers are right, but the array that was passed in has changed. An in-place operator such
    as `-=` writes into the caller's memory, and on an array of integers it may even refuse. Make
    a new array instead.

    Hint: 5
    """
    x -= x.max(axis=axis, keepdims=True)
    powers = np.exp(x)
    return powers / powers.sum(axis=axis, keepdims=True)


def integer_result(x, axis=-1):
    """The result inherits the integers of the input

    Integer scores come back as zeros and ones. The array that holds the result was made with the
    dtype of the input, so every weight between 0 and 1 loses its fraction.

    Hint: 4
    """
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    result = np.zeros_like(x)
    result[...] = powers / powers.sum(axis=axis, keepdims=True)
    return result


def no_exp(x, axis=-1):
    """Divides the scores by their sum

    The slices sum to 1, but nothing was exponentiated. Negative scores give negative weights, and
    adding a constant to a slice changes its weights; softmax has neither problem.

    Hint: 2
    """
    return x / x.sum(axis=axis, keepdims=True)


def no_division(x, axis=-1):
    """The exponentials are not divided by their sum

    The largest weight of every slice is exactly 1. These are the shifted exponentials; what turns
    them into weights that sum to 1 is still missing.

    Hint: 4
    """
    return np.exp(x - x.max(axis=axis, keepdims=True))


def returns_log(x, axis=-1):
    """Returns the logarithm of softmax

    All numbers are 0 or below: this is log-softmax. The exponential of each of them is the weight
    that was asked for.

    Hint: 4
    """
    shifted = x - x.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
