"""The scores are right but for their scale."""
import numpy as np


def no_scale(Q, K):
    """The scale is missing

    The mask is right, but the weights are too sharp. The scores are not divided by the square root
    of the key width.

    Hint: 4
    """
    return Q @ K.T


def scale_multiply(Q, K):
    """Scaled the other way

    The scores are multiplied by the root of d_k, so weights are far too sharp. The scale is there
    to bring large dot products back to moderate size. Dividing by an already inverted scale does
    the same as multiplying.

    Hint: 4
    """
    return Q @ K.T * np.sqrt(Q.shape[1])


def scale_no_root(Q, K):
    """Divides by d_k, not by its root

    The weights are flatter than they should be. The scores are divided by the width of a row
    itself; their spread grows only with its square root.

    Hint: 4
    """
    return Q @ K.T / Q.shape[1]
