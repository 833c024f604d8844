"""The merge."""
import numpy as np


def merge_by_reshape(x):
    """Heads are merged without a transpose

    Every number is right, but in a chunk they are in the wrong places. A reshape never moves data,
    so it reads all tokens of head 0 first. Bring the token axis to the front before merging.

    Hint: 3
    """
    return x.reshape(x.shape[1], -1)
