"""Misconceptions about the angles: positions, frequencies, token axis."""
import numpy as np


def _turn(x, angles):
    cos, sin = np.cos(angles), np.sin(angles)
    even, odd = x[..., 0::2], x[..., 1::2]
    return np.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1).reshape(x.shape)


def ignores_positions(x, positions, base=10000.0):
    """Positions are counted from 0

    The code counts positions from 0 itself and never reads `positions`. That works for a fresh
    prompt. In cached generation the next token may stand at position 4096.

    Hint: 2
    """
    return apply_rope(x, np.arange(x.shape[-2]), base)


def positions_from_first(x, positions, base=10000.0):
    """Only the first position is read

    The code takes the first position and counts on from there. The positions need not be
    consecutive: each token brings its own.

    Hint: 2
    """
    return apply_rope(x, positions[0] + np.arange(x.shape[-2]), base)


def counts_from_one(x, positions, base=10000.0):
    """Every position is one too large

    Every token is turned one step too far. Position 0 means an angle of 0, so that token comes out
    as it went in.

    Hint: 2
    """
    return apply_rope(x, positions + 1, base)


def frequency_per_index(x, positions, base=10000.0):
    """The exponent is i/d, not 2i/d

    The first pair is right, and the others turn too fast. The exponent falls half as quickly as it
    should: look at the factor in front of i in the formula.

    Hint: 4
    """
    d = x.shape[-1]
    return _turn(x, positions[:, None] * base ** (-np.arange(d // 2) / d))


def exponent_doubled(x, positions, base=10000.0):
    """The factor 2 is taken twice

    The first pair is right, and the others turn too slowly. The factor 2 of the exponent is
    counted twice: once by stepping in twos, once by multiplying.

    Hint: 4
    """
    d = x.shape[-1]
    return _turn(x, positions[:, None] * base ** (-2.0 * np.arange(0, d, 2) / d))


def frequency_grows(x, positions, base=10000.0):
    """The exponent has lost its minus sign

    The first pair is right, and the later ones spin far too fast. The frequencies should fall from
    pair to pair. The sign of the exponent decides.

    Hint: 4
    """
    d = x.shape[-1]
    return _turn(x, positions[:, None] * base ** (np.arange(0, d, 2) / d))


def frequencies_reversed(x, positions, base=10000.0):
    """The slowest frequency comes first

    The frequencies run from the last pair to the first. Pair 0 is the fast one: its exponent is 0,
    so it turns by one radian per position.

    Hint: 4
    """
    return _turn(x, positions[:, None] * frequencies(x.shape[-1], base)[::-1])


def one_frequency(x, positions, base=10000.0):
    """Every pair turns at the same speed

    All pairs turn by the same angle, the position itself. Each pair has its own speed, which
    `base` and the index of the pair decide.

    Hint: 2
    """
    d = x.shape[-1]
    return _turn(x, positions[:, None] * np.ones(d // 2))


def ignores_base(x, positions, base=10000.0):
    """The base is always 10000

    The code works with a base of 10000, whatever `base` says. Models for long texts are run with
    other bases, so the argument has to reach the frequencies.

    Hint: 4
    """
    return apply_rope(x, positions)


def angles_in_degrees(x, positions, base=10000.0):
    """Angles are converted from degrees

    The angles are treated as degrees, so everything turns far too little. The formula gives
    radians already, which is what np.cos and np.sin expect.

    Hint: 2
    """
    return _turn(x, np.deg2rad(positions[:, None] * frequencies(x.shape[-1], base)))


def float32_angles(x, positions, base=10000.0):
    """The angles are float32

    The angles are rounded to float32 before sine and cosine see them. At position 100000 that is
    off by up to 0.004 radians, a visible turn. Keep positions, frequencies and angles in float64.

    Hint: 2
    """
    theta = frequencies(x.shape[-1], base).astype(np.float32)
    return _turn(x, positions.astype(np.float32)[:, None] * theta)


def short_table(x, positions, base=10000.0):
    """A table of angles that ends too early

    The angles come from a table, and some positions lie beyond its end. No largest position is
    known beforehand. The angles of the given positions can be computed directly.

    Hint: 2
    """
    table = np.arange(8192)[:, None] * frequencies(x.shape[-1], base)
    return _turn(x, table[positions])


def wrong_token_axis(x, positions, base=10000.0):
    """The first axis is taken for the token axis

    With a head axis in front, the positions are applied to heads instead of tokens. Plain (n, d)
    inputs hide it. The token axis is the one just before the last.

    Hint: 3
    """
    y = np.empty(x.shape)
    for t in range(x.shape[0]):
        angles = positions[t] * frequencies(x.shape[-1], base)
        y[t] = _turn(x[t], angles)
    return y


def positions_as_row(x, positions, base=10000.0):
    """Positions and frequencies are multiplied entry by entry

    Positions and frequencies are multiplied entry by entry, not every position with every
    frequency. NumPy raises an error whenever there are not as many tokens as pairs. One of the two
    has to stand as a column.

    Hint: 2
    """
    return _turn(x, positions * frequencies(x.shape[-1], base))
