"""There is no mask, or it covers other cells than the future."""
import numpy as np


def _attend(Q, K, V, allowed):
    """Attention under a mask; a row without any key becomes zeros."""
    scores = np.where(allowed, Q @ K.T / np.sqrt(Q.shape[1]), -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores - np.where(np.isneginf(top), 0.0, top))
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1.0, total) @ V


def no_mask(Q, K, V):
    """Nothing is masked

    The first token changes when a later one changes. All keys are averaged, so nothing is masked.
    Among as many queries as keys, token 0 may see key 0 only.

    Hint: 1
    """
    return softmax(Q @ K.T / np.sqrt(Q.shape[1])) @ V


def strict(Q, K, V):
    """A token cannot see itself

    The triangle is one step too small. Token i sees only keys before i, so token 0 sees nothing at
    all. The diagonal is allowed.

    Hint: 1
    """
    return _attend(Q, K, V, np.tri(len(Q), len(K), len(K) - len(Q) - 1, dtype=bool))


def one_ahead(Q, K, V):
    """A token sees the next one

    The triangle is one step too large. Every token sees the key right after it, and a model trained
    like this could simply copy its answer. The last allowed key of a token is its own.

    Hint: 1
    """
    return _attend(Q, K, V, np.tri(len(Q), len(K), len(K) - len(Q) + 1, dtype=bool))


def keeps_future(Q, K, V):
    """Masks the past instead of the future

    The triangle is upside down. The last token sees only itself and the first sees everything. Rows
    are queries and columns are keys; the keys at or before the query stay.

    Hint: 1
    """
    return _attend(Q, K, V, ~np.tri(len(Q), len(K), len(K) - len(Q) - 1, dtype=bool))


def top_left(Q, K, V):
    """The triangle starts at the top left

    As many queries as keys come out right. With more keys than queries, the first query counts as
    position 0 and loses its past. The queries are the last positions of the sequence.

    Hint: 3
    """
    return _attend(Q, K, V, np.tri(len(Q), len(K), dtype=bool))


def offset_reversed(Q, K, V):
    """The offset has the opposite sign

    As many queries as keys come out right. Otherwise the triangle moves the other way: with more
    keys than queries the new tokens lose even the keys that came before them. How many keys does
    the first query see?

    Hint: 3
    """
    return _attend(Q, K, V, np.tri(len(Q), len(K), len(Q) - len(K), dtype=bool))


def square_mask(Q, K, V):
    """The mask is always square

    The mask has as many columns as rows. That fits only while there are as many keys as queries;
    the scores have one column for each key.

    Hint: 3
    """
    return _attend(Q, K, V, np.tri(len(Q), dtype=bool))


def offset_never_negative(Q, K, V):
    """The offset stops at 0

    As many queries as keys come out right, and fewer queries too. With more queries than keys the
    offset should fall below 0; here it stays 0, and the first queries see keys that come later.

    Hint: 3
    """
    return _attend(Q, K, V, np.tri(len(Q), len(K), max(len(K) - len(Q), 0), dtype=bool))
