"""Which features form a pair, and where they return."""
import numpy as np


def half_split(x, angles):
    """Feature i is paired with i + d/2

    The code pairs the first half of the features with the second half. GPT-NeoX and Hugging Face
    do it that way, and it is a valid rotation. This exercise pairs neighbours, as the paper does.

    Hint: 1
    """
    half = x.shape[-1] // 2
    turned = rotate(x[..., :half], x[..., half:], np.cos(angles), np.sin(angles))
    return np.concatenate(turned, axis=-1)


def concatenates(x, angles):
    """All even features first, then all odd ones

    The rotation is right, but the features come back in the wrong order. All first components stand
    in front of all second ones. Position 0 should leave x untouched, and here it does not.

    Hint: 5
    """
    turned = rotate(x[..., ::2], x[..., 1::2], np.cos(angles), np.sin(angles))
    return np.concatenate(turned, axis=-1)


def halves_to_neighbours(x, angles):
    """Halves are paired, neighbours are written

    The features are read as halves and written back as neighbours. Reading and writing have to use
    the same pairing, or position 0 shuffles the features.

    Hint: 5
    """
    half = x.shape[-1] // 2
    turned = rotate(x[..., :half], x[..., half:], np.cos(angles), np.sin(angles))
    return np.stack(turned, axis=-1).reshape(x.shape)


def mixed_pairings(x, angles):
    """Neighbour angles, half-split partners

    The angles are laid out for neighbours, but the partners come from the other half. Each feature
    meets a partner that turns by a different angle. Both parts need the same pairing.

    Hint: 3
    """
    cos, sin = np.repeat(np.cos(angles), 2, axis=-1), np.repeat(np.sin(angles), 2, axis=-1)
    half = x.shape[-1] // 2
    partner = np.concatenate([-x[..., half:], x[..., :half]], axis=-1)
    return x * cos + partner * sin


def tiled_angles(x, angles):
    """Half-split angles, neighbour partners

    The partners are neighbours, but the angles are laid out for halves. The two features of a pair
    turn by different angles, so this is no longer a rotation.

    Hint: 3
    """
    tiled = np.concatenate([angles, angles], axis=-1)
    partner = np.stack([-x[..., 1::2], x[..., ::2]], axis=-1).reshape(x.shape)
    return x * np.cos(tiled) + partner * np.sin(tiled)


def neighbours_taken_apart(x, angles):
    """Neighbours are partners, but lined up by halves

    Each feature's partner is its neighbour, yet the partners stand in two halves, and so do the
    angles. Feature 0 then meets the partner of another pair. Which order do x, the partners and the
    angles share?

    Hint: 3
    """
    tiled = np.concatenate([angles, angles], axis=-1)
    partner = np.concatenate([-x[..., 1::2], x[..., ::2]], axis=-1)
    return x * np.cos(tiled) + partner * np.sin(tiled)


def pairs_kept_apart(x, angles):
    """The pairs are not merged

    The result has one axis more than x. The pairs were never merged into one feature axis. The last
    two axes, pair and component, belong together in the result.

    Hint: 5
    """
    return turn(x, angles).reshape(*x.shape[:-1], -1, 2)


def adds_encoding(x, angles):
    """The sinusoidal encoding is added

    The code adds sines and cosines to x, so the vectors change their length. That is the
    sinusoidal encoding. RoPE turns each pair of features, and a rotation keeps lengths.

    Hint: 1
    """
    return x + np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), -1)
