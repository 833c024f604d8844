"""The mask is right, but what the masked scores become is not."""
import numpy as np


def _filled(scores, value):
    return np.where(causal_mask(*scores.shape), scores, value)


def zero_fill(scores):
    """Forbidden scores become 0

    The forbidden scores are set to 0, and the exponential of 0 is 1. So the future still gets
    weight, and often a lot. Which score has an exponential of 0?

    Hint: 2
    """
    return scores * causal_mask(*scores.shape)


def small_fill(scores):
    """Uses -10000 as minus infinity

    The fill value is larger than some real scores. There the forbidden keys win the softmax. Only
    minus infinity is below every score.

    Hint: 2
    """
    return _filled(scores, -1e4)


def million_fill(scores):
    """Uses -1000000 as minus infinity

    A million is a lot, but some allowed scores are lower still. There the forbidden keys win the
    softmax, and a query without any key averages all values. Only minus infinity is below every
    score.

    Hint: 2
    """
    return _filled(scores, -1e6)


def finite_fill(scores):
    """Uses -1000000000 as minus infinity

    A large negative number is not minus infinity. A query that has no key at all ends up averaging
    every value equally, and scores below the fill value lose against it.

    Hint: 4
    """
    return _filled(scores, -1e9)


def huge_fill(scores):
    """Uses -1e30 as minus infinity

    Even -1e30 is a score like others. Where the allowed scores are lower still, the forbidden keys
    win, and a query that has no key at all ends up averaging every value equally.

    Hint: 4
    """
    return _filled(scores, -1e30)


def lowest_float(scores):
    """Uses the lowest float as minus infinity

    No real score lies below the lowest float, and still one row is off. A query without any key has
    only equal fill values, so it averages every value. By the convention of this exercise such a
    row is zeros.

    Hint: 4
    """
    return _filled(scores, np.finfo(float).min)


def added_fill(scores):
    """Adds -1000000000 to masked scores

    The mask only pushes forbidden scores down by a fixed amount. A future key that leads by more
    still wins, and a query without any key has all its scores pushed down alike, which changes
    nothing. Minus infinity cannot be outrun.

    Hint: 4
    """
    return scores + np.where(causal_mask(*scores.shape), 0.0, -1e9)


def zeros_to_infinity(scores):
    """Treats every score of 0 as masked

    The lower triangle is cut out first, and zeros then become minus infinity. An allowed score that
    happens to be 0 disappears with them. Decide by position, not by value.

    Hint: 3
    """
    visible = scores * causal_mask(*scores.shape)
    return np.where(visible == 0, -np.inf, visible)
