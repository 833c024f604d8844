"""The rotation itself is another one."""
import numpy as np


def no_minus_sign(even, odd, cos, sin):
    """No minus sign at either sine

    Both new features are sums, so this is no rotation and lengths are not kept. Turning a point by
    90 degrees has to bring its second component to the other side of the axis.

    Hint: 1
    """
    return even * cos + odd * sin, even * sin + odd * cos


def mirrors(even, odd, cos, sin):
    """A reflection instead of a rotation

    The code mirrors each pair instead of turning it. At position 0 the second feature of every
    pair comes back with its sign changed, and a rotation by 0 changes nothing.

    Hint: 1
    """
    return even * cos + odd * sin, even * sin - odd * cos


def sine_and_cosine_swapped(even, odd, cos, sin):
    """Sine and cosine are swapped

    Sine and cosine have changed places. At position 0 the angle is 0, so the cosine is what keeps
    a feature where it is.

    Hint: 1
    """
    return even * sin - odd * cos, even * cos + odd * sin


def no_partner(even, odd, cos, sin):
    """Each feature is only scaled by its cosine

    Every feature is only scaled, and the two of a pair never meet. A rotation mixes both: each new
    feature is built from two old ones.

    Hint: 1
    """
    return even * cos, odd * sin


def reads_turned_value(even, odd, cos, sin):
    """The second formula reads the new even feature

    The even features are overwritten before the odd ones are computed. The second formula then
    mixes a turned value with an old one. Both formulas need the old values of both features.

    Hint: 4
    """
    turned = even * cos - odd * sin
    return turned, turned * sin + odd * cos


def minus_in_both(even, odd, cos, sin):
    """A minus sign in both formulas

    The first formula is right, and the second subtracts as well. Turning a point by 90 degrees
    brings its first component over with its sign kept, and the second one with its sign changed.

    Hint: 1
    """
    return even * cos - odd * sin, odd * cos - even * sin
