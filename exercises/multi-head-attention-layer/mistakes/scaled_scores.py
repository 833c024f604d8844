"""The scale of the scores."""
import numpy as np


def scale_dmodel(q, k):
    """Scales by the width of the whole token

    With several heads the weights are too flat; with one they are right. The scores are divided by
    the root of the token's width, but each dot product runs over one head's width only.

    Hint: 4
    """
    return scaled_scores(q, k) / num_heads**0.5


def no_scale(q, k):
    """The scale is missing

    The weights are sharper than they should be. The scores of a head are not divided by the square
    root of its width.

    Hint: 4
    """
    return q @ k.swapaxes(1, 2)


def scale_no_root(q, k):
    """Divides by d_k, not by its root

    The weights are flatter than they should be. The scores are divided by the width of a head
    itself; their spread grows only with its square root.

    Hint: 4
    """
    return q @ k.swapaxes(1, 2) / q.shape[2]


def scale_multiply(q, k):
    """Scaled the other way

    The scores are multiplied by the root of d_k, so weights are far too sharp. The scale is there
    to bring large dot products back to moderate size. Dividing by an already inverted scale does
    the same as multiplying.

    Hint: 4
    """
    return q @ k.swapaxes(1, 2) * np.sqrt(q.shape[2])
