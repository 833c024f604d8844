"""What comes back is something else."""
import numpy as np


def unscaled_lse(Q, K, V, block_size):
    """The lse is taken over the raw scores

    The output is right, but the lse belongs to the raw scores. It should be that of the scaled
    ones, the same that went into the softmax.

    Hint: 4
    """
    output, _ = flash_attention(Q, K, V, block_size)
    _, lse = flash_attention(Q * np.sqrt(Q.shape[1]), K, V, block_size)
    return output, lse


def swapped_results(Q, K, V, block_size):
    """The lse comes first

    The two results have changed places. The order is output, then lse.

    Hint: 4
    """
    output, lse = flash_attention(Q, K, V, block_size)
    return lse, output


def output_only(Q, K, V, block_size):
    """Only the output comes back

    A single array comes back where two are expected. The lse of each query is the second result.

    Hint: 4
    """
    return flash_attention(Q, K, V, block_size)[0]


def maximum_and_sum(Q, K, V, block_size):
    """Maximum and sum come back separately

    Three arrays come back where two are expected. Maximum and sum are merged into one number for
    each query, the lse.

    Hint: 4
    """
    output, lse = flash_attention(Q, K, V, block_size)
    m = block_scores(Q, K).max(axis=1)
    return output, m, np.exp(lse - m)
