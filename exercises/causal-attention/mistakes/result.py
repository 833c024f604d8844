"""The result has other rows or axes."""
import numpy as np


def drops_empty_rows(Q, K, V):
    """Leaves out the rows without keys

    The result is shorter than the list of queries. Queries that have no key are left out; they
    still need a row each, and it is zeros.

    Hint: 4
    """
    return causal_attention(Q[-len(K):], K, V)


def squeezed(Q, K, V):
    """Axes of length 1 are removed

    The numbers are right, but axes of length 1 are gone from the result. A single query still
    gives an array with two axes.

    Hint: 3
    """
    return np.squeeze(causal_attention(Q, K, V))


def strict_plain(Q, K, V):
    """A token cannot see itself

    The triangle is one step too small, so a token sees only the keys before it. The first one sees
    nothing, and its row becomes nan. The diagonal is allowed.

    Hint: 1
    """
    scores = np.where(np.tri(len(Q), len(K), len(K) - len(Q) - 1, dtype=bool), scaled_scores(Q, K), -np.inf)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True) @ V
