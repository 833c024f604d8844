"""The merge."""
import numpy as np


def merge_without_transpose(heads):
    """Merges the heads without moving an axis

    The heads are right, but they are merged in the wrong order. A reshape never moves data, so it
    strings all tokens of head 0 together first. Bring the token axis back to the front before the
    reshape. One querying token, or one head, hides it.

    Hint: 4
    """
    return heads.reshape(x_q.shape)
