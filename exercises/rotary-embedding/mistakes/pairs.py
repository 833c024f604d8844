"""Misconceptions about which features form a pair and where they return."""
import numpy as np


def _cos_sin(x, positions, base):
    angles = positions[:, None] * frequencies(x.shape[-1], base)
    return np.cos(angles), np.sin(angles)


def half_split(x, positions, base=10000.0):
    """Feature i is paired with i + d/2

    The code pairs the first half of the features with the second half. GPT-NeoX and Hugging Face
    do it that way, and it is a valid rotation. This exercise pairs neighbours, as the paper does.

    Hint: 1
    """
    cos, sin = _cos_sin(x, positions, base)
    half = x.shape[-1] // 2
    first, second = x[..., :half], x[..., half:]
    return np.concatenate([first * cos - second * sin, first * sin + second * cos], axis=-1)


def concatenates(x, positions, base=10000.0):
    """All even features first, then all odd ones

    The rotation is right, but the features come back in another order. All first components stand
    in front of all second ones. Position 0 should leave x untouched, and here it does not.

    Hint: 5
    """
    cos, sin = _cos_sin(x, positions, base)
    even, odd = x[..., 0::2], x[..., 1::2]
    return np.concatenate([even * cos - odd * sin, even * sin + odd * cos], axis=-1)


def halves_to_neighbours(x, positions, base=10000.0):
    """Halves are paired, neighbours are written

    The features are read as halves and written back as neighbours. Reading and writing have to use
    the same pairing, or position 0 shuffles the features.

    Hint: 5
    """
    cos, sin = _cos_sin(x, positions, base)
    half = x.shape[-1] // 2
    first, second = x[..., :half], x[..., half:]
    y = np.empty(x.shape)
    y[..., 0::2] = first * cos - second * sin
    y[..., 1::2] = first * sin + second * cos
    return y


def mixed_pairings(x, positions, base=10000.0):
    """Neighbour angles, half-split partners

    The angles are laid out for neighbours, but the partners come from the other half. Each feature
    meets a partner that turns by a different angle. Both parts need the same pairing.

    Hint: 3
    """
    cos, sin = (np.repeat(a, 2, axis=-1) for a in _cos_sin(x, positions, base))
    half = x.shape[-1] // 2
    partner = np.concatenate([-x[..., half:], x[..., :half]], axis=-1)
    return x * cos + partner * sin


def tiled_angles(x, positions, base=10000.0):
    """Half-split angles, neighbour partners

    The partners are neighbours, but the angles are laid out for halves. The two features of a pair
    turn by different angles, so this is no longer a rotation.

    Hint: 3
    """
    cos, sin = (np.concatenate([a, a], axis=-1) for a in _cos_sin(x, positions, base))
    partner = np.empty(x.shape)
    partner[..., 0::2] = -x[..., 1::2]
    partner[..., 1::2] = x[..., 0::2]
    return x * cos + partner * sin


def reads_turned_value(x, positions, base=10000.0):
    """The second formula reads the new even feature

    The even features are overwritten before the odd ones are computed. The second formula then
    mixes a turned value with an old one. Both formulas need the old values of both features.

    Hint: 4
    """
    cos, sin = _cos_sin(x, positions, base)
    y = x.copy()
    y[..., 0::2] = y[..., 0::2] * cos - y[..., 1::2] * sin
    y[..., 1::2] = y[..., 0::2] * sin + y[..., 1::2] * cos
    return y


def writes_into_x(x, positions, base=10000.0):
    """An argument is overwritten

    The numbers are right, but an array that was passed in has changed. The caller still needs
    features and positions as they were. Fill a fresh array instead.

    Hint: 4
    """
    x[...] = apply_rope(x, positions, base)
    return x


def final_squeeze(x, positions, base=10000.0):
    """Axes of length 1 are squeezed away

    An axis of length 1 is missing from the result. Squeezing removes every such axis, also the
    token axis of a single token. The result always has the shape of x.

    Hint: 3
    """
    return np.squeeze(apply_rope(x, positions, base))


def pairs_kept_apart(x, positions, base=10000.0):
    """The pairs are not merged

    The result has one axis more than x. The pairs were never merged into one feature axis. The last
    two axes, pair and component, belong together in the result.

    Hint: 5
    """
    return apply_rope(x, positions, base).reshape(*x.shape[:-1], -1, 2)
