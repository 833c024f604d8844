"""Wrong exponentials of a block."""
import numpy as np


def shifted_by_block_maximum(s, m_new):
    """The block is measured against its own maximum

    The exponentials of a block are taken relative to the largest score of that block, and the sums
    relative to the running maximum. Once a block's own maximum is lower, its keys count for too
    much. Both need the same reference.

    Hint: 4
    """
    return np.exp(s - s.max(axis=1, keepdims=True))
