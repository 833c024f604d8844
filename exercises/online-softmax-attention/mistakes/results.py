"""Misconceptions about scale, lse and what comes back."""
import numpy as np


def lse_without_max(Q, K, V, block_size):
    """The lse forgets the maximum

    The output is right, but the lse is too small by the maximum. The sum was taken of exponentials
    that had the maximum subtracted. The logarithm has to get it back.

    Hint: 4
    """
    output, lse = flash_attention(Q, K, V, block_size)
    return output, lse - block_scores(Q, K).max(axis=1)


def lse_without_log(Q, K, V, block_size):
    """The lse adds the sum, not its logarithm

    The output is right; the lse adds the sum where its logarithm belongs. The name says the order:
    the logarithm of a sum of exponentials.

    Hint: 4
    """
    output, lse = flash_attention(Q, K, V, block_size)
    m = block_scores(Q, K).max(axis=1)
    return output, m + np.exp(lse - m)


def lse_maximum_only(Q, K, V, block_size):
    """The lse is only the maximum

    The output is right, but what comes back as lse is the maximum alone. It approximates the lse
    when one score leads by far. The logarithm of the sum is missing.

    Hint: 4
    """
    return flash_attention(Q, K, V, block_size)[0], block_scores(Q, K).max(axis=1)


def lse_is_the_sum(Q, K, V, block_size):
    """The sum comes back instead of lse

    The output is right, but the second result is the running sum. It is relative to the maximum,
    so it says little alone. The lse holds both, the sum and the maximum.

    Hint: 4
    """
    output, lse = flash_attention(Q, K, V, block_size)
    return output, np.exp(lse - block_scores(Q, K).max(axis=1))


def lse_base_two(Q, K, V, block_size):
    """The lse uses logarithms of base 2

    The output is right, but the logarithm in the lse has base 2. The exponentials have base e, and
    so must the logarithm.

    Hint: 4
    """
    output, lse = flash_attention(Q, K, V, block_size)
    m = block_scores(Q, K).max(axis=1)
    return output, m + np.log2(np.exp(lse - m))


def unscaled_lse(Q, K, V, block_size):
    """The lse is taken over the raw scores

    The output is right, but the lse belongs to the raw scores. It should be that of the scaled
    ones, the same that went into the softmax.

    Hint: 4
    """
    output, _ = flash_attention(Q, K, V, block_size)
    _, lse = flash_attention(Q * np.sqrt(Q.shape[1]), K, V, block_size)
    return output, lse


def lse_keeps_axis(Q, K, V, block_size):
    """The lse has a second axis

    The lse comes back as a column, with an axis of length 1. That axis is useful inside the loop.
    The result has one number for each query, shape (n_q,).

    Hint: 3
    """
    output, lse = flash_attention(Q, K, V, block_size)
    return output, lse[:, None]


def lse_squeezed(Q, K, V, block_size):
    """The lse is squeezed

    The lse of a single query comes back without its axis. Squeezing removes every axis of length
    1. The lse is always (n_q,).

    Hint: 3
    """
    output, lse = flash_attention(Q, K, V, block_size)
    return output, np.squeeze(lse)


def output_squeezed(Q, K, V, block_size):
    """The output is squeezed

    The output loses its axes of length 1. That happens with a single query or a single value
    column. The output is always (n_q, d_v).

    Hint: 3
    """
    output, lse = flash_attention(Q, K, V, block_size)
    return np.squeeze(output), lse


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


def scale_none(Q, K, V, block_size):
    """The scores are not scaled

    The scores are not scaled: the weights are too peaked, the lse is off. With d_k = 1 nothing
    shows. The formula divides each score first.

    Hint: 4
    """
    return flash_attention(Q * np.sqrt(Q.shape[1]), K, V, block_size)


def scale_no_root(Q, K, V, block_size):
    """Divided by d_k, not by its root

    The scores are divided by d_k, so the weights are too flat. The formula takes the square root
    of d_k first.

    Hint: 4
    """
    return flash_attention(Q / np.sqrt(Q.shape[1]), K, V, block_size)


def scale_value_width(Q, K, V, block_size):
    """Scaled by the width of the values

    The scale follows d_v, the width of the values. Scores are sums over the features of queries
    and keys, so their width is what counts.

    Hint: 4
    """
    return flash_attention(Q * np.sqrt(Q.shape[1] / V.shape[1]), K, V, block_size)


def softmax_over_queries(Q, K, V, block_size):
    """The softmax runs over the queries

    The weights of each key sum to 1 over the queries. It should be the other way round: each query
    shares out a weight of 1 among the keys.

    Hint: 3
    """
    s = block_scores(Q, K)
    p = np.exp(s - s.max(axis=0))
    return p / p.sum(axis=0) @ V, flash_attention(Q, K, V, block_size)[1]
