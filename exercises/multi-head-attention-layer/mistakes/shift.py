"""The shift is missing, or one for all rows."""
import numpy as np


def unstable(scores):
    """No shift in the softmax

    Small scores work, large ones become `nan`. np.exp overflows before the division. Softmax does
    not change when you subtract a constant from a whole row first.

    Hint: 4
    """
    return scores


def global_max(scores):
    """One maximum for all rows

    The shift is the largest score of all rows. A row whose scores lie far below it underflows
    to 0/0. Each row of each head needs its own maximum.

    Hint: 4
    """
    return scores - scores.max()
