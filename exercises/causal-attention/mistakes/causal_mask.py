"""There is no mask, or it covers other cells than the future."""
import numpy as np


def no_mask(n_q, n_k):
    """Nothing is masked

    The first token changes when a later one changes. All keys are averaged, so nothing is masked.
    Among as many queries as keys, token 0 may see key 0 only.

    Hint: 1
    """
    return np.ones((n_q, n_k), dtype=bool)


def strict(n_q, n_k):
    """A token cannot see itself

    The triangle is one step too small. Token i sees only keys before i, so token 0 sees nothing at
    all. The diagonal is allowed.

    Hint: 1
    """
    return np.tri(n_q, n_k, n_k - n_q - 1, dtype=bool)


def one_ahead(n_q, n_k):
    """A token sees the next one

    The triangle is one step too large. Every token sees the key right after it, and a model trained
    like this could simply copy its answer. The last allowed key of a token is its own.

    Hint: 1
    """
    return np.tri(n_q, n_k, n_k - n_q + 1, dtype=bool)


def keeps_future(n_q, n_k):
    """Masks the past instead of the future

    The triangle is upside down. The last token sees only itself and the first sees everything. Rows
    are queries and columns are keys; the keys at or before the query stay.

    Hint: 1
    """
    return ~np.tri(n_q, n_k, n_k - n_q - 1, dtype=bool)


def top_left(n_q, n_k):
    """The triangle starts at the top left

    It works when there are as many queries as keys. With more keys than queries, the first query
    counts as position 0 and loses its past. The queries are the last positions of the sequence.

    Hint: 3
    """
    return np.tri(n_q, n_k, dtype=bool)


def offset_reversed(n_q, n_k):
    """The offset has the opposite sign

    It works when there are as many queries as keys. Otherwise the triangle moves the other way:
    with more keys than queries the new tokens lose even the keys that came before them. How many
    keys does the first query see?

    Hint: 3
    """
    return np.tri(n_q, n_k, n_q - n_k, dtype=bool)


def square_mask(n_q, n_k):
    """The mask is always square

    The mask has as many columns as rows. That fits only while there are as many keys as queries;
    the scores have one column for each key.

    Hint: 3
    """
    return np.tri(n_q, dtype=bool)


def offset_never_negative(n_q, n_k):
    """The offset stops at 0

    It works when there are no more queries than keys. With more queries than keys the
    offset should fall below 0; here it stays 0, and the first queries see keys that come later.

    Hint: 3
    """
    return np.tri(n_q, n_k, max(n_k - n_q, 0), dtype=bool)
