"""The shift is missing, or one for all rows."""
import numpy as np


def softmax_unshifted(scores):
    """exp without a shift

    Large scores overflow exp, and very negative ones all become 0. Both end in nan. Subtracting
    the maximum of a row changes no weight and keeps every exponent at or below 0.

    Hint: 4
    """
    return scores


def softmax_one_maximum(scores):
    """One maximum for all rows

    One maximum is subtracted from all rows. A row that lies thousands below it underflows to 0,
    and 0 over 0 is nan. Each row has its own maximum.

    Hint: 4
    """
    return scores - scores.max()
