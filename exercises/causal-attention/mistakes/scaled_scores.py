"""The scores are right but for their scale."""
import numpy as np


def no_scale(Q, K):
    """The scale is missing

    The mask is right, but the weights are too sharp. The scores are not divided by the square root
    of the key width.

    Hint: 4
    """
    return Q @ K.T
