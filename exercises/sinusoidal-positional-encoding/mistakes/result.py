"""The whole table, made or returned in another way."""
import numpy as np


def column_as_pair(seq_len, d_model):
    """Uses the column number as the pair number

    Only the first column is right. The exponent doubles the number of the column, but i numbers
    the pairs: columns 0 and 1 belong to pair 0, columns 2 and 3 to pair 1.

    Hint: 1
    """
    every = angles(positions(seq_len), slowness(2 * np.arange(d_model) / d_model))
    return interleave(np.sin(every[:, 0::2]), np.cos(every[:, 1::2]), d_model)


def transposed(seq_len, d_model):
    """Positions run along the columns

    The table lies on its side: one column for each position. Positions belong in the rows.

    Hint: 3
    """
    return positional_encoding(seq_len, d_model).T.copy()


def squeezed(seq_len, d_model):
    """Axes of length 1 are removed

    The numbers are right, but axes of length 1 are gone. One position, or one column, still gives
    a table with two axes.

    Hint: 3
    """
    return np.squeeze(positional_encoding(seq_len, d_model))


def batch_axis(seq_len, d_model):
    """An axis for the batch in front

    The numbers are right, but the table has three axes. Many codebases add an axis of length 1 in
    front for the batch; here the table is (seq_len, d_model).

    Hint: 3
    """
    return positional_encoding(seq_len, d_model)[None]
