"""The angles are right, but the sines and cosines stand at other places."""
import numpy as np


def _angle(seq_len, d_model):
    return np.arange(seq_len)[:, None] / 10000.0 ** (np.arange(0, d_model, 2) / d_model)


def halves(seq_len, d_model):
    """All sines first, then all cosines

    Row 0 reads 0, 0, ..., 1, 1: all sines stand in the first half. Tensor2Tensor does that too, but
    the paper, and this exercise, alternate sine and cosine columns.

    Hint: 3
    """
    angle = _angle(seq_len, d_model)
    return np.concatenate([np.sin(angle), np.cos(angle[:, : d_model // 2])], axis=1)


def swapped(seq_len, d_model):
    """Cosines in the even columns

    Sine and cosine have changed places. Row 0 should start with the sine of 0, which is 0.

    Hint: 3
    """
    angle = _angle(seq_len, d_model)
    table = np.zeros((seq_len, d_model))
    table[:, 0::2] = np.cos(angle)
    table[:, 1::2] = np.sin(angle[:, : d_model // 2])
    return table


def only_sines(seq_len, d_model):
    """Sines in every column

    The even columns are right; the odd ones repeat the sine. The second column of a pair holds the
    other hand of the clock, the cosine.

    Hint: 2
    """
    return np.sin(np.repeat(_angle(seq_len, d_model), 2, axis=1)[:, :d_model])


def transposed(seq_len, d_model):
    """Positions run along the columns

    The table lies on its side: one column for each position. Positions belong in the rows.

    Hint: 3
    """
    return positional_encoding(seq_len, d_model).T.copy()


def table_of_5000(seq_len, d_model):
    """Cuts a table of 5000 positions

    Up to 5000 positions everything is right, after that rows are missing. The table has a fixed
    length, as in code that prepares it once. Here `seq_len` says how long it is.

    Hint: 3
    """
    return positional_encoding(5000, d_model)[:seq_len]


def squeezed(seq_len, d_model):
    """Axes of length 1 are removed

    The numbers are right, but axes of length 1 are gone. One position, or one column, still gives
    a table with two axes.

    Hint: 3
    """
    return np.squeeze(positional_encoding(seq_len, d_model))


def whole_number_table(seq_len, d_model):
    """The table holds whole numbers

    Every value is cut to -1, 0 or 1. The table was made with a dtype of integers, so assigning a
    sine to it drops the fraction.

    Hint: 4
    """
    return positional_encoding(seq_len, d_model).astype(int)


def batch_axis(seq_len, d_model):
    """An axis for the batch in front

    The numbers are right, but the table has three axes. Many codebases add an axis of length 1 in
    front for the batch; here the table is (seq_len, d_model).

    Hint: 3
    """
    return positional_encoding(seq_len, d_model)[None]
