"""The heads are other ones."""
import numpy as np


def single_head(q, K, V, visible, num_heads):
    """num_heads is never used

    The attention runs over the full width, as a single head. Every head has its own columns and
    its own weights.

    Hint: 3
    """
    return attend(q, K, V, visible, 1)
