"""The split."""
import numpy as np


def split_by_reshape(x, num_heads):
    """Heads are split without a transpose

    A direct reshape to (heads, tokens, d_k) mixes tokens into heads. A reshape never moves data.
    Split the last axis first, then bring the head axis to the front.

    Hint: 3
    """
    return x.reshape(num_heads, len(x), -1)
