"""The waves are right, but they stand at other places of the table."""
import numpy as np


def halves(even, odd, d_model):
    """All sines first, then all cosines

    Row 0 reads 0, 0, ..., 1, 1: all sines stand in the first half. Tensor2Tensor does that too, but
    the paper, and this exercise, alternate sine and cosine columns.

    Hint: 3
    """
    return np.concatenate([even, odd[:, : d_model // 2]], axis=1)


def swapped(even, odd, d_model):
    """Cosines in the even columns

    Sine and cosine have changed places. Row 0 should start with the sine of 0, which is 0.

    Hint: 3
    """
    return interleave(odd, even, d_model)


def only_sines(even, odd, d_model):
    """Sines in every column

    The even columns are right; the odd ones repeat the sine. The second column of a pair holds the
    other hand of the clock, the cosine.

    Hint: 2
    """
    return interleave(even, even, d_model)


def whole_number_table(even, odd, d_model):
    """The table holds whole numbers

    Every value is cut to -1, 0 or 1. The table was made with a dtype of integers, so assigning a
    sine to it drops the fraction.

    Hint: 4
    """
    return interleave(even, odd, d_model).astype(int)


def even_only(even, odd, d_model):
    """Assumes an even width

    Even widths work, odd ones raise an error. For an odd width there is one cosine column fewer
    than there are frequencies, so the angles for the cosines are one column too many.

    Hint: 4
    """
    table = np.zeros((len(even), d_model))
    table[:, 0::2] = even
    table[:, 1::2] = odd
    return table


def one_column_too_many(even, odd, d_model):
    """Keeps the cosine of the last pair

    Even widths are right, odd ones are one column too wide. The last pair of an odd width has only
    its sine.

    Hint: 4
    """
    return np.stack([even, odd], axis=2).reshape(len(even), -1)


def last_column_dropped(even, odd, d_model):
    """Leaves out the last sine

    Even widths are right, odd ones are one column too narrow. The number of pairs was rounded down,
    so the last sine has no place.

    Hint: 4
    """
    return interleave(even, odd, d_model)[:, : d_model // 2 * 2]


def last_column_zero(even, odd, d_model):
    """Leaves the last sine at 0

    Even widths are right; in odd ones the last column stays 0. The number of pairs was rounded
    down, so nothing fills the last column.

    Hint: 4
    """
    table = interleave(even, odd, d_model)
    if d_model % 2 == 1:
        table[:, -1] = 0
    return table
