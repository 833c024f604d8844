"""The mask is right, the attention around it is not."""
import numpy as np


def _masked(scores):
    return np.where(causal_mask(*scores.shape), scores, -np.inf)


def _weights(scores, top, axis=-1):
    """Exponentials over their sum; a row without any key becomes zeros."""
    powers = np.exp(scores - np.where(np.isneginf(top), 0.0, top))
    total = powers.sum(axis=axis, keepdims=True)
    return powers / np.where(total == 0, 1.0, total)


def no_scale(Q, K, V):
    """The scale is missing

    The mask is right, but the weights are too sharp. The scores are not divided by the square root
    of the key width.

    Hint: 4
    """
    scores = _masked(Q @ K.T)
    return _weights(scores, scores.max(axis=-1, keepdims=True)) @ V


def softmax_over_queries(Q, K, V):
    """Softmax over the queries

    The weights sum to 1 down each column. Then the queries share a key, where each query should
    spread its own weight of 1 over the keys it may see.

    Hint: 4
    """
    scores = _masked(Q @ K.T / np.sqrt(Q.shape[1]))
    return _weights(scores, scores.max(axis=0, keepdims=True), axis=0) @ V


def unstable(Q, K, V):
    """No shift in the softmax

    The mask is right, but the softmax has no shift. Scores in the thousands overflow np.exp, and
    rows far below zero become 0/0 or nothing.

    Hint: 4
    """
    scores = _masked(Q @ K.T / np.sqrt(Q.shape[1]))
    return _weights(scores, np.zeros((len(Q), 1))) @ V


def global_max(Q, K, V):
    """One maximum for all rows

    The shift is the largest score of the whole matrix. Rows whose scores lie far below it underflow
    and lose all their weights. Each row needs its own maximum.

    Hint: 4
    """
    scores = _masked(Q @ K.T / np.sqrt(Q.shape[1]))
    return _weights(scores, scores.max()) @ V


def squeezed(Q, K, V):
    """Axes of length 1 are removed

    The numbers are right, but axes of length 1 are gone from the result. A single query still
    gives an array with two axes.

    Hint: 3
    """
    return np.squeeze(causal_attention(Q, K, V))
