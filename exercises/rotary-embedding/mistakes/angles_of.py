"""The angles are other ones: positions, units, precision."""
import numpy as np


def ignores_positions(positions, d, base):
    """Positions are counted from 0

    The code counts positions from 0 itself and never reads `positions`. That works for a fresh
    prompt. In cached generation the next token may stand at position 4096.

    Hint: 2
    """
    return angles_of(np.arange(len(positions)), d, base)


def positions_from_first(positions, d, base):
    """Only the first position is read

    The code takes the first position and counts on from there. The positions need not be
    consecutive: each token brings its own.

    Hint: 2
    """
    return angles_of(positions[0] + np.arange(len(positions)), d, base)


def counts_from_one(positions, d, base):
    """Every position is one too large

    Every token is turned one step too far. Position 0 means an angle of 0, so that token comes out
    as it went in.

    Hint: 2
    """
    return angles_of(positions + 1, d, base)


def angles_in_degrees(positions, d, base):
    """Angles are converted from degrees

    The angles are treated as degrees, so everything turns far too little. The formula gives
    radians already, which is what np.cos and np.sin expect.

    Hint: 2
    """
    return np.deg2rad(angles_of(positions, d, base))


def float32_angles(positions, d, base):
    """The angles are float32

    The angles are rounded to float32 before sine and cosine see them. At position 100000 that is
    off by up to 0.004 radians, a visible turn. Keep positions, frequencies and angles in float64.

    Hint: 2
    """
    theta = frequencies(d, base).astype(np.float32)
    return positions.astype(np.float32)[:, None] * theta


def short_table(positions, d, base):
    """A table of angles that ends too early

    The angles come from a table, and some positions lie beyond its end. No largest position is
    known beforehand. The angles of the given positions can be computed directly.

    Hint: 2
    """
    table = np.arange(8192)[:, None] * frequencies(d, base)
    return table[positions]


def positions_as_row(positions, d, base):
    """Positions and frequencies are multiplied entry by entry

    Positions and frequencies are multiplied entry by entry, not every position with every
    frequency. NumPy raises an error whenever there are not as many tokens as pairs. One of the two
    has to stand as a column.

    Hint: 2
    """
    return positions * frequencies(d, base)


def backwards(positions, d, base):
    """The rotation runs clockwise

    The pairs turn clockwise: the minus sign sits at the other sine. Test it with the point (1, 0)
    and a small angle, which should give a positive second component.

    Hint: 1
    """
    return -angles_of(positions, d, base)
