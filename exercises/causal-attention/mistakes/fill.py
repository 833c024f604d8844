"""The mask is right, but what the masked scores or weights become is not."""
import numpy as np


def _scores(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[1])


def zero_fill(Q, K, V):
    """Forbidden scores become 0

    The forbidden scores are set to 0, and the exponential of 0 is 1. So the future still gets
    weight, and often a lot. Which score has an exponential of 0?

    Hint: 2
    """
    return softmax(_scores(Q, K) * causal_mask(len(Q), len(K))) @ V


def mask_after_softmax(Q, K, V):
    """Masks the weights, which then sum to less

    The future has weight 0, but what is left no longer sums to 1. The softmax was taken over all
    keys first, so the future still stands in the denominator. Where should the mask go?

    Hint: 2
    """
    return softmax(_scores(Q, K)) * causal_mask(len(Q), len(K)) @ V


def renormalise_after(Q, K, V):
    """Lets the future into the softmax, then divides again

    Dividing again is right on paper, but not on a computer. A future key still sets the maximum;
    when it leads by far, the weights of the past underflow to 0 and nothing is left to divide by.
    Remove the future before anything looks at the scores.

    Hint: 2
    """
    weights = softmax(_scores(Q, K)) * causal_mask(len(Q), len(K))
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total == 0, 1.0, total) @ V


def small_fill(Q, K, V):
    """Uses -10000 as minus infinity

    The fill value is larger than some real scores. There the forbidden keys win the softmax. Only
    minus infinity is below every score.

    Hint: 2
    """
    return softmax(np.where(causal_mask(len(Q), len(K)), _scores(Q, K), -1e4)) @ V


def million_fill(Q, K, V):
    """Uses -1000000 as minus infinity

    A million is far, but some allowed scores lie further down. There the forbidden keys win the
    softmax, and a query without any key averages all values. Only minus infinity is below every
    score.

    Hint: 2
    """
    return softmax(np.where(causal_mask(len(Q), len(K)), _scores(Q, K), -1e6)) @ V


def finite_fill(Q, K, V):
    """Uses -1000000000 as minus infinity

    A large negative number is not minus infinity. A query that has no key at all ends up averaging
    every value equally, and scores below the fill value lose against it.

    Hint: 4
    """
    return softmax(np.where(causal_mask(len(Q), len(K)), _scores(Q, K), -1e9)) @ V


def added_fill(Q, K, V):
    """Adds -1000000000 to masked scores

    The mask only pushes forbidden scores down by a fixed amount. A future key that leads by more
    still wins, and a query without any key has all its scores pushed down alike, which changes
    nothing. Minus infinity cannot be outrun.

    Hint: 4
    """
    return softmax(_scores(Q, K) + np.where(causal_mask(len(Q), len(K)), 0.0, -1e9)) @ V


def lowest_float(Q, K, V):
    """Uses the lowest float as minus infinity

    No real score lies below the lowest float, and still one row is off. A query without any key has
    only equal fill values, so it averages every value. By the convention of this exercise such a
    row is zeros.

    Hint: 4
    """
    lowest = np.finfo(float).min
    return softmax(np.where(causal_mask(len(Q), len(K)), _scores(Q, K), lowest)) @ V


def zeros_to_infinity(Q, K, V):
    """Takes every score of 0 for a masked one

    The lower triangle is cut out first, and zeros then become minus infinity. An allowed score that
    happens to be 0 disappears with them. Decide by position, not by value.

    Hint: 3
    """
    scores = np.tril(_scores(Q, K), k=len(K) - len(Q))
    scores = np.where(scores == 0, -np.inf, scores)
    top = scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores - np.where(np.isneginf(top), 0.0, top))
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1.0, total) @ V


def zero_times_infinity(Q, K, V):
    """Multiplies the mask by infinity

    Nearly every row is `nan`, because 0 times infinity is. The mask is built as a product with
    infinity, so the allowed cells, which should get 0, get `nan`. Choose between two values instead
    of multiplying.

    Hint: 4
    """
    mask = (1.0 - causal_mask(len(Q), len(K))) * -np.inf
    return softmax(_scores(Q, K) + mask) @ V


def nan_rows(Q, K, V):
    """Rows without keys become nan

    Almost there: only queries without any allowed key are `nan`. Their maximum is minus infinity,
    and minus infinity minus itself is not a number. By the convention of this exercise such a row
    is zeros.

    Hint: 4
    """
    return softmax(np.where(causal_mask(len(Q), len(K)), _scores(Q, K), -np.inf)) @ V


def drops_empty_rows(Q, K, V):
    """Leaves out the rows without keys

    The result is shorter than the list of queries. Queries that have no key are left out; they
    still need a row each, and it is zeros.

    Hint: 4
    """
    return causal_attention(Q[-len(K):], K, V)


def huge_fill(Q, K, V):
    """Uses -1e30 as minus infinity

    Even -1e30 is a score like others. Where allowed scores lie further down the forbidden keys win,
    and a query that has no key at all ends up averaging every value equally.

    Hint: 4
    """
    return softmax(np.where(causal_mask(len(Q), len(K)), _scores(Q, K), -1e30)) @ V
