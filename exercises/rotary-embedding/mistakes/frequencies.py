"""The frequencies are other ones."""
import numpy as np


def frequency_per_index(d, base):
    """The exponent is i/d, not 2i/d

    The first pair is right, and the others turn too fast. The exponent falls half as quickly as it
    should: look at the factor in front of i in the formula.

    Hint: 4
    """
    return base ** (-np.arange(d // 2) / d)


def exponent_doubled(d, base):
    """The factor 2 is taken twice

    The first pair is right, and the others turn too slowly. The factor 2 of the exponent is
    counted twice: once by stepping in twos, once by multiplying.

    Hint: 4
    """
    return base ** (-2.0 * np.arange(0, d, 2) / d)


def frequency_grows(d, base):
    """The exponent has lost its minus sign

    The first pair is right, and the later ones spin far too fast. The frequencies should fall from
    pair to pair. The sign of the exponent decides.

    Hint: 4
    """
    return base ** (np.arange(0, d, 2) / d)


def frequencies_reversed(d, base):
    """The slowest frequency comes first

    The frequencies run from the last pair to the first. Pair 0 is the fast one: its exponent is 0,
    so it turns by one radian per position.

    Hint: 4
    """
    return frequencies(d, base)[::-1]


def one_frequency(d, base):
    """Every pair turns at the same speed

    All pairs turn by the same angle, the position itself. Each pair has its own speed, which
    `base` and the index of the pair decide.

    Hint: 2
    """
    return np.ones(d // 2)


def ignores_base(d, base):
    """The base is always 10000

    The code works with a base of 10000, whatever `base` says. Models for long texts are run with
    other bases, so the argument has to reach the frequencies.

    Hint: 4
    """
    return frequencies(d, 10000.0)
