"""Misconceptions about the rotation itself."""
import numpy as np


def _cos_sin(x, positions, base):
    angles = positions[:, None] * frequencies(x.shape[-1], base)
    return np.cos(angles), np.sin(angles)


def _neighbours(first, second):
    return np.stack([first, second], axis=-1).reshape(*first.shape[:-1], -1)


def backwards(x, positions, base=10000.0):
    """The rotation runs clockwise

    The pairs turn clockwise: the minus sign sits at the other sine. Test it with the point (1, 0)
    and a small angle, which should give a positive second component.

    Hint: 1
    """
    return apply_rope(x, -positions, base)


def no_minus_sign(x, positions, base=10000.0):
    """No minus sign at either sine

    Both new features are sums, so this is no rotation and lengths are not kept. Turning a point by
    90 degrees has to bring its second component to the other side of the axis.

    Hint: 1
    """
    cos, sin = _cos_sin(x, positions, base)
    even, odd = x[..., 0::2], x[..., 1::2]
    return _neighbours(even * cos + odd * sin, even * sin + odd * cos)


def mirrors(x, positions, base=10000.0):
    """A reflection instead of a rotation

    The code mirrors each pair instead of turning it. At position 0 the second feature of every
    pair comes back with its sign changed, and a rotation by 0 changes nothing.

    Hint: 1
    """
    cos, sin = _cos_sin(x, positions, base)
    even, odd = x[..., 0::2], x[..., 1::2]
    return _neighbours(even * cos + odd * sin, even * sin - odd * cos)


def sine_and_cosine_swapped(x, positions, base=10000.0):
    """Sine and cosine are exchanged

    Sine and cosine have changed places. At position 0 the angle is 0, so the cosine is what keeps
    a feature where it is.

    Hint: 1
    """
    cos, sin = _cos_sin(x, positions, base)
    even, odd = x[..., 0::2], x[..., 1::2]
    return _neighbours(even * sin - odd * cos, even * cos + odd * sin)


def adds_encoding(x, positions, base=10000.0):
    """The sinusoidal encoding is added

    The code adds sines and cosines to x, so the vectors change their length. That is the
    sinusoidal encoding. RoPE turns each pair of features, and a rotation keeps lengths.

    Hint: 1
    """
    cos, sin = _cos_sin(x, positions, base)
    return x + _neighbours(sin, cos)


def no_partner(x, positions, base=10000.0):
    """Each feature is only scaled by its cosine

    Every feature is only scaled, and the two of a pair never meet. A rotation mixes both: each new
    feature is built from two old ones.

    Hint: 1
    """
    cos, sin = _cos_sin(x, positions, base)
    return _neighbours(x[..., 0::2] * cos, x[..., 1::2] * sin)
