"""Misconceptions about which positions a new token sees."""
import numpy as np


def no_mask_in_chunk(m, t):
    """No mask when several tokens arrive

    One token at a time works; in a chunk, earlier tokens see later ones. When several tokens
    arrive together they are each other's future. A chunk still needs the causal mask.

    Hint: 4
    """
    return np.ones((m, t + m), dtype=bool)


def top_left_mask(m, t):
    """The mask is aligned to the top left

    An empty cache works; with an old one, almost the whole past is hidden. The triangle starts in
    the other corner: new token 0 does not stand at position 0.

    Hint: 3
    """
    return np.tri(m, t + m, dtype=bool)


def strict_mask(m, t):
    """A new token does not see itself

    The mask hides each new token from itself. It should see every position up to its own, and its
    own as well.

    Hint: 5
    """
    rows, columns = t + np.arange(m)[:, None], np.arange(t + m)
    return columns < rows


def mask_one_too_far(m, t):
    """Each token sees one later token

    The triangle is one diagonal too wide, so each token sees its successor. The last visible
    position of a token is its own.

    Hint: 5
    """
    rows, columns = t + np.arange(m)[:, None], np.arange(t + m)
    return columns <= rows + 1


def mask_inverted(m, t):
    """The mask hides the past

    The mask is inverted: past positions are hidden and later ones are shown. The last token has
    nothing to see at all. In a mask made with np.where, the order of the two values decides.

    Hint: 5
    """
    rows, columns = t + np.arange(m)[:, None], np.arange(t + m)
    return columns > rows


def mask_looks_ahead(m, t):
    """A token sees itself and what follows

    Each new token sees itself and later tokens, but none of the earlier ones. The triangle is
    turned round. Generation reads from the past.

    Hint: 5
    """
    rows, columns = t + np.arange(m)[:, None], np.arange(t + m)
    return columns >= rows


def own_position_only(m, t):
    """The new tokens do not see each other

    Each new token sees the old ones and itself, but no other new token. Earlier tokens of the same
    chunk belong to its past as well.

    Hint: 5
    """
    rows, columns = t + np.arange(m)[:, None], np.arange(t + m)
    return (columns < t) | (columns == rows)
