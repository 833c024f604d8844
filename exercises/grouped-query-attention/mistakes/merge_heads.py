"""The merge."""

import numpy as np


def merge_by_reshape(x):
    """Heads are merged without a transpose

    Every number is right, but they are in the wrong places. A reshape never moves data, so it reads
    all tokens of head 0 first. Bring the token axis to the front before merging.

    Hint: 4
    """
    return x.reshape(Q.shape)


def merge_interleaved(x):
    """The heads are merged feature by feature

    Every number is right, but they are in the wrong places. The result holds feature 0 of all
    heads, then feature 1, and so on. Head h belongs in the columns h*d to (h+1)*d.

    Hint: 4
    """
    return x.transpose(1, 2, 0).reshape(Q.shape)


def heads_not_merged(x):
    """The heads are not merged

    The result still has a head axis. The heads stand side by side in the last axis of the output,
    query head 0 first.

    Hint: 4
    """
    return x


def heads_averaged(x):
    """The heads are averaged

    The heads are averaged, so the output is as narrow as one head. Each head keeps its own columns
    in the output.

    Hint: 4
    """
    return x.mean(axis=0)
