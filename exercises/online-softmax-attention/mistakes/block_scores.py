"""Wrong scores: another scale."""
import numpy as np


def scale_none(Q, K_block):
    """The scores are not scaled

    The scores are not scaled: the weights are too peaked, the lse is off. With d_k = 1 nothing
    shows. The formula divides each score first.

    Hint: 4
    """
    return Q @ K_block.T


def scale_no_root(Q, K_block):
    """Divided by d_k, not by its root

    The scores are divided by d_k, so the weights are too flat. The formula takes the square root
    of d_k first.

    Hint: 4
    """
    return Q @ K_block.T / Q.shape[1]


def scale_value_width(Q, K_block):
    """Scaled by the width of the values

    The scale follows d_v, the width of the values. Scores are sums over the features of queries
    and keys, so their width is what counts.

    Hint: 4
    """
    return Q @ K_block.T / np.sqrt(V.shape[1])
