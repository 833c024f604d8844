"""Even widths are right, the last column of an odd width is not."""
import numpy as np


def even_only(seq_len, d_model):
    """Assumes an even width

    Even widths work, odd ones raise an error. For an odd width there is one cosine column fewer
    than there are frequencies, so the angles for the cosines are one column too many.

    Hint: 4
    """
    angle = np.arange(seq_len)[:, None] / 10000.0 ** (np.arange(0, d_model, 2) / d_model)
    table = np.zeros((seq_len, d_model))
    table[:, 0::2] = np.sin(angle)
    table[:, 1::2] = np.cos(angle)
    return table


def one_column_too_many(seq_len, d_model):
    """Keeps the cosine of the last pair

    Even widths are right, odd ones are a column too wide. The last pair of an odd width has only
    its sine.

    Hint: 4
    """
    angle = np.arange(seq_len)[:, None] / 10000.0 ** (np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(angle), np.cos(angle)], axis=2).reshape(seq_len, -1)


def last_column_dropped(seq_len, d_model):
    """Leaves out the last sine

    Even widths are right, odd ones are a column too narrow. The number of pairs was rounded down,
    so the last sine has no place.

    Hint: 4
    """
    return positional_encoding(seq_len, d_model)[:, : d_model // 2 * 2]


def last_column_zero(seq_len, d_model):
    """Leaves the last sine at 0

    Even widths are right; in odd ones the last column stays 0. The number of pairs was rounded
    down, so nobody fills the last column.

    Hint: 4
    """
    table = positional_encoding(seq_len, d_model)
    if d_model % 2 == 1:
        table[:, -1] = 0
    return table
