"""Wrong last divisions."""
import numpy as np


def no_division(acc, l):
    """The output is not divided by the sum

    The weighted values are returned as collected. Their weights do not sum to 1 yet: the division
    by the sum of exponentials is missing.

    Hint: 4
    """
    return acc


def output_squeezed(acc, l):
    """The output is squeezed

    The output loses its axes of length 1. That happens with a single query or a single value
    column. The output is always (n_q, d_v).

    Hint: 3
    """
    return np.squeeze(share_out(acc, l))
