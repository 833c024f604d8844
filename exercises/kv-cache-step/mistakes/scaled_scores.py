"""The scale of the scores."""
import numpy as np


def scale_dmodel(q, k):
    """Scaled by the full width

    The scale follows the full width, so with several heads the weights are too flat. With one head
    they are right. Each score is a sum over the columns of one head.

    Hint: 4
    """
    return scaled_scores(q, k) / np.sqrt(num_heads)


def scale_none(q, k):
    """The scores are not scaled

    The scores go into the softmax unscaled, so the weights are too peaked. The formula divides
    them first.

    Hint: 4
    """
    return q @ k.transpose(0, 2, 1)


def scale_no_root(q, k):
    """Divided by d_k, not by its root

    The scores are divided by d_k, so the weights are too flat. The formula takes the square root
    of d_k first.

    Hint: 4
    """
    return q @ k.transpose(0, 2, 1) / q.shape[-1]


def scale_multiply(q, k):
    """Scaled the other way

    The scores are multiplied by the root of d_k, so weights are far too sharp. The scale is there
    to bring large dot products back to moderate size. Dividing by an already inverted scale does
    the same as multiplying.

    Hint: 4
    """
    return q @ k.swapaxes(1, 2) * np.sqrt(q.shape[2])
