"""The two kinds are mixed up, or gamma and beta are used in another way."""
import numpy as np


def rms_centres(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """RMSNorm subtracts the mean

    This RMSNorm is a LayerNorm. The token is centred, and shifted where there is a `beta`. It
    should divide the raw values by their root mean square; nothing is subtracted or added.

    Hint: 3
    """
    return normalize(x, gamma, beta, eps, "layer")


def rms_centres_unshifted(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """RMSNorm subtracts the mean but ignores beta

    This RMSNorm is a LayerNorm without a shift. Leaving `beta` out is right, but nothing is
    subtracted either: the raw values are divided by their root mean square.

    Hint: 3
    """
    return normalize(x, gamma, None if kind == "rms" else beta, eps, "layer")


def always_rms(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """Always an RMSNorm

    The result is an RMSNorm, whichever kind was asked for. LayerNorm centres each token first, and
    shifts it at the end.

    Hint: 3
    """
    return normalize(x, gamma, beta, eps, "rms")


def layer_not_centred(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """LayerNorm divides without centring

    LayerNorm divides by the right spread but keeps the mean of the token. The numerator should be
    centred as well, so that a constant token leaves nothing but the shift.

    Hint: 3
    """
    if kind == "rms":
        return normalize(x, gamma, beta, eps, kind)
    y = x / np.sqrt(np.var(x, axis=-1, keepdims=True) + eps) * gamma
    return y if beta is None else y + beta


def rms_adds_beta(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """RMSNorm adds the shift

    LayerNorm is right, RMSNorm is shifted. RMSNorm has no shift: when a `beta` is passed along, it
    is ignored.

    Hint: 4
    """
    y = normalize(x, gamma, None, eps, kind)
    return y if beta is None else y + beta


def beta_required(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """Expects that there is always a shift

    With a shift everything is right; without one, adding `None` raises an error. `beta` may be
    `None`, and that is its default.

    Hint: 4
    """
    y = normalize(x, gamma, None, eps, kind)
    return y if kind == "rms" else y + beta


def shift_before_scale(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """Adds beta before multiplying by gamma

    A constant token comes out as gamma times beta instead of beta. The scale comes first, then the
    shift.

    Hint: 4
    """
    y = normalize(x, np.ones_like(gamma), beta, eps, kind)
    return y * gamma


def no_gamma(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """The scale is missing

    The tokens are normalised but not scaled. `gamma` holds one learned factor for each feature.

    Hint: 4
    """
    return normalize(x, np.ones_like(gamma), beta, eps, kind)


def no_beta(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """The shift is missing

    LayerNorm is right as long as there is no shift. `beta` is never added; a constant token should
    come out as beta.

    Hint: 4
    """
    return normalize(x, gamma, None, eps, kind)


def one_plus_gamma(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """Scales by one plus gamma

    The scale is larger by 1 than it should be. Some models store gamma that way; here it is the
    factor itself.

    Hint: 4
    """
    return normalize(x, 1 + gamma, beta, eps, kind)


def mutates_input(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """Works in place on the caller's array

    The numbers are right, but an array that was passed in has changed. An in-place operator such
    as `-=` or `/=` writes into the caller's memory. Make a new array instead.

    Hint: 5
    """
    if kind != "rms":
        x -= np.mean(x, axis=-1, keepdims=True)
    x /= np.sqrt(mean_square(x) + eps)
    return x * gamma if kind == "rms" or beta is None else x * gamma + beta


def squeezed(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """Axes of length 1 are removed

    The numbers are right, but axes of length 1 are gone from the result. The result has the shape
    of the input, a batch of one included.

    Hint: 2
    """
    return np.squeeze(normalize(x, gamma, beta, eps, kind))


def beta_truth_value(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """Asks whether beta is true

    A whole array is neither true nor false, so NumPy refuses `if beta`. Without a shift it works.
    Ask whether there is an array, not whether it is true.

    Hint: 5
    """
    if kind == "layer" and beta:
        return normalize(x, gamma, beta, eps)
    return normalize(x, gamma, None, eps, kind)
