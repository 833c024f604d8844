"""The scores are right, their softmax is not."""
import numpy as np


def _scores(Q, K):
    return Q @ K.T / np.sqrt(K.shape[1])


def softmax_over_queries(Q, K, V):
    """Softmax over the queries

    The weights sum to 1 down each column, so the queries compete for a key. It should be the
    other way round: every query spreads a total weight of 1 over the keys.

    Hint: 3
    """
    return softmax(_scores(Q, K).T).T @ V


def softmax_of_everything(Q, K, V):
    """One softmax for the whole matrix

    All weights of the matrix together sum to 1. Each query should have a total weight of 1 for
    itself, so there is one sum per row.

    Hint: 3
    """
    scores = _scores(Q, K)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum() @ V


def unstable(Q, K, V):
    """No shift in the softmax

    Small numbers come out right, large ones as `nan`. np.exp overflows for scores above 709.
    Softmax does not change when a constant comes off a whole row before np.exp.

    Hint: 4
    """
    powers = np.exp(_scores(Q, K))
    return powers / powers.sum(axis=-1, keepdims=True) @ V


def global_max(Q, K, V):
    """One maximum for all rows

    The shift is the largest score of the whole matrix. A query whose scores are all far below it
    underflows to 0/0. Each row needs its own maximum.

    Hint: 4
    """
    scores = _scores(Q, K)
    powers = np.exp(scores - scores.max())
    return powers / powers.sum(axis=-1, keepdims=True) @ V


def max_of_columns(Q, K, V):
    """Subtracts the maximum of each column

    What comes off a row differs from entry to entry. The maxima were taken over the queries, and
    softmax only ignores a shift that is the same for all keys of one query.

    Hint: 3
    """
    scores = _scores(Q, K)
    powers = np.exp(scores - scores.max(axis=0, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True) @ V


def no_keepdims(Q, K, V):
    """The reduced axis is dropped

    The row sums lost their axis, so they line up with the keys. With as many queries as keys
    nothing complains, and each weight is divided by another row's sum; elsewhere NumPy refuses.

    Hint: 5
    """
    scores = _scores(Q, K)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1) @ V


def max_no_keepdims(Q, K, V):
    """The maximum loses its axis

    The row maxima lost their axis, so each is subtracted from a column. With as many queries as
    keys nothing complains, and the shift is then another one for every key of a row.

    Hint: 5
    """
    scores = _scores(Q, K)
    powers = np.exp(scores - scores.max(axis=-1))
    return powers / powers.sum(axis=-1, keepdims=True) @ V


def no_softmax(Q, K, V):
    """The scores are used as weights

    The values are averaged under raw scores. Those can be negative and do not sum to 1; the step
    that turns scores into weights is missing.

    Hint: 4
    """
    return _scores(Q, K) @ V


def no_exp(Q, K, V):
    """The scores are divided by their sum

    The rows of the weights sum to 1, but nothing was exponentiated. A negative score becomes a
    negative weight, and a row that sums to 0 cannot be divided at all.

    Hint: 4
    """
    scores = _scores(Q, K)
    return scores / scores.sum(axis=-1, keepdims=True) @ V
