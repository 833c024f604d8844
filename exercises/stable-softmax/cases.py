"""The six test cases of stable-softmax, and one more example.

float32 solutions pass too: the large scores are whole numbers or halves, which float32 holds.
"""
import numpy as np


def thousands_beside_units():
    """A row of small scores above a row of scores in the thousands."""
    return (np.array([[1.0, 2.0, 3.0], [1001.0, 1002.0, 1003.0]]),)


def columns():
    """axis=0: the columns sum to 1."""
    return np.array([[0.0, 5.0], [np.log(3.0), 5.0]]), 0


def one_list_of_scores():
    """An array of rank 1 on the default axis, every score far below zero."""
    return (np.array([-2001.0, -1999.25, -2003.0, -1997.5, -1992.0, -2000.5, -1998.0]),)


def square_integers():
    """A square matrix of integers: a lost axis can't hide behind a broadcasting error."""
    rng = np.random.default_rng(102)
    return (rng.integers(-3, 4, size=(4, 4)),)


def slices_far_apart():
    """Rows with very different scales, and one with a wide spread inside."""
    return (
        np.array(
            [
                [0.5, 1.0, 2.0, 0.0],
                [-10000.0, -10001.0, -9999.0, -10000.5],
                [0.0, 10000.0, 9999.0, -10000.0],
                [-900.0, -899.0, -898.5, -901.0],
                [900.0, 901.5, 902.0, 900.5],
                [-(2.0**34), -(2.0**35), -(2.0**34), -(2.0**34)],
            ]
        ),
    )


def third_axis_from_the_end():
    """axis=-3 of rank 4, an axis of length 1, and scores of -inf, whose weight is exactly 0."""
    rng = np.random.default_rng(106)
    x = rng.standard_normal((2, 3, 1, 4))
    x[0, 1, 0, 2] = -np.inf
    x[1, 1:, 0, 0] = -np.inf
    return x, -3


def middle_of_three_axes():
    """Example: rank 3 with three different sizes, along the middle axis."""
    rng = np.random.default_rng(107)
    return rng.standard_normal((2, 3, 4)), 1
