"""The split."""
import numpy as np


def split_without_transpose(x, num_heads):
    """Reshapes straight into heads

    The reshape to heads first cuts tokens apart. It never moves data, so the first head gets the
    first tokens instead of the first columns of every token. Split the columns first, then move
    the axis of the heads.

    Hint: 4
    """
    return x.reshape(num_heads, len(x), x.shape[1] // num_heads)
