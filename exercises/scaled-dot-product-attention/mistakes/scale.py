"""The scores are scaled by something else than the root of the key width, or at another place."""
import numpy as np


def no_scale(Q, K, V):
    """The scale is missing

    The weights are sharper than they should be. The scores are dot products as they come; with keys
    of width 64 that is 8 times too large. What does the formula divide them by?

    Hint: 4
    """
    return softmax(Q @ K.T) @ V


def scale_dk(Q, K, V):
    """Divides by d_k, not by its root

    The weights are flatter than they should be. The scores seem to be divided by d_k itself, but
    the standard deviation of a dot product grows only with the square root of the width.

    Hint: 4
    """
    return softmax(Q @ K.T / K.shape[1]) @ V


def scale_dv(Q, K, V):
    """Scales by the width of the values

    The result is exact when values and keys have the same width. When the widths differ, the scale
    comes from the values. It belongs to the vectors in the dot product, and V is not one of them.

    Hint: 4
    """
    return softmax(Q @ K.T / np.sqrt(V.shape[1])) @ V


def scale_nk(Q, K, V):
    """Scales by the number of keys

    The scale changes with the number of keys. It should depend on how long each key vector is:
    the spread of a dot product comes from the number of its terms.

    Hint: 4
    """
    return softmax(Q @ K.T / np.sqrt(K.shape[0])) @ V


def scale_nq(Q, K, V):
    """Scales by the number of queries

    The scale changes with the number of queries. A query's result should not depend on how many
    others are asked beside it; the scale comes from the length of each vector.

    Hint: 4
    """
    return softmax(Q @ K.T / np.sqrt(Q.shape[0])) @ V


def scale_multiply(Q, K, V):
    """Multiplies by the root of d_k

    The weights are much too sharp. The scores are multiplied by the square root of the width, so
    wider keys spread them even more; the scale is there to undo that spread.

    Hint: 4
    """
    return softmax(Q @ K.T * np.sqrt(K.shape[1])) @ V


def scale_precedence(Q, K, V):
    """`d_k ** 1/2` is half of d_k

    The scores are divided by half of d_k. Python raises to a power before it divides, so
    `d_k ** 1/2` is not a square root. It looks right exactly where d_k is 4.

    Hint: 4
    """
    return softmax(Q @ K.T / (K.shape[1] ** 1 / 2)) @ V


def scale_floor_root(Q, K, V):
    """The root is cut to a whole number

    The scale is exact for widths 4 and 64 and off for width 3. The square root of d_k is cut or
    rounded to a whole number, and only square widths survive that.

    Hint: 4
    """
    return softmax(Q @ K.T / int(np.sqrt(K.shape[1]))) @ V


def scale_after_softmax(Q, K, V):
    """The scale comes after the softmax

    Each row of the weights sums to less than 1. They are scaled after the softmax, where it shrinks
    the output. The scale has to act on the scores, before they become weights.

    Hint: 4
    """
    return softmax(Q @ K.T) / np.sqrt(K.shape[1]) @ V


def mutates_query(Q, K, V):
    """An argument is changed in place

    The result is right, but an array that was passed in has changed. An in-place operator such as
    `/=` writes into the caller's array. Scaling the queries is fine on a new array.

    Hint: 5
    """
    Q /= np.sqrt(K.shape[1])
    return softmax(Q @ K.T) @ V
