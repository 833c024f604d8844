"""The shift is missing, or one for all rows."""
import numpy as np


def unstable(scores):
    """No shift in the softmax

    The mask is right, but the softmax has no shift. Scores in the thousands overflow np.exp, and
    rows far below zero become 0/0 or nothing.

    Hint: 4
    """
    return scores


def global_max(scores):
    """One maximum for all rows

    The shift is the largest score of the whole matrix. Rows whose scores lie far below it underflow
    and lose all their weights. Each row needs its own maximum.

    Hint: 4
    """
    return scores - scores.max()
