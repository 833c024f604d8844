"""Mean and variance run over other values, or are computed in another way."""
import numpy as np


def _normalize(x, gamma, beta, eps, kind, mean):
    """Both kinds, with `mean` as the way to average."""
    if kind == "rms":
        return x / np.sqrt(mean(x * x) + eps) * gamma
    centred = x - mean(x)
    y = centred / np.sqrt(mean(centred * centred) + eps) * gamma
    return y if beta is None else y + beta


def batch_axis(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """Normalises over the tokens

    The columns are normalised, the tokens are not. The statistics run over the first axis, as in
    batch norm. Here each token uses only its own features.

    Hint: 1
    """
    return _normalize(x, gamma, beta, eps, kind, lambda a: np.mean(a, axis=0, keepdims=True))


def all_axes(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """One mean for the whole array

    One mean for the whole array makes tokens depend on each other. Each token should look the
    same whichever others stand beside it.

    Hint: 2
    """
    return _normalize(x, gamma, beta, eps, kind, np.mean)


def last_two_axes(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """Normalises over tokens and features together

    The statistics run over the last two axes. Then the tokens of a sequence share one mean, and
    a longer sequence changes them all. Only the features of one token belong together.

    Hint: 2
    """
    axes = tuple(range(x.ndim))[-2:]
    return _normalize(x, gamma, beta, eps, kind, lambda a: np.mean(a, axis=axes, keepdims=True))


def no_keepdims(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """The reduced axis is dropped

    The statistics of the tokens lost their axis, so they line up with the features. As many
    tokens as features hide it; elsewhere NumPy refuses. What shape lets one number per token line
    up with the token?

    Hint: 2
    """
    return _normalize(x, gamma, beta, eps, kind, lambda a: np.mean(a, axis=-1))


def ddof_1(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """Sample variance instead of population variance

    The outputs of LayerNorm are a little too small. The variance divides by d - 1; LayerNorm uses
    the population variance, which divides by d. Some well-known tutorials do the same.

    Hint: 4
    """
    if kind == "rms":
        return normalize(x, gamma, beta, eps, kind)
    centred = x - np.mean(x, axis=-1, keepdims=True)
    y = centred / np.sqrt(np.var(x, axis=-1, ddof=1, keepdims=True) + eps) * gamma
    return y if beta is None else y + beta


def one_pass_variance(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """Subtracts two huge numbers for the variance

    The variance loses its digits when a token is far from zero. The mean of the squares and the
    square of the mean are then huge and nearly equal, and their difference is rounding error. Use
    the values after centring.

    Hint: 3
    """
    if kind == "rms":
        return normalize(x, gamma, beta, eps, kind)
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.mean(x * x, axis=-1, keepdims=True) - mean * mean
    y = (x - mean) / np.sqrt(variance + eps) * gamma
    return y if beta is None else y + beta


def variance_not_centred(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """Divides by the spread of the raw token

    LayerNorm centres the numerator but not the spread under it. The mean square of the raw values
    also counts their mean, so tokens far from zero come out too small.

    Hint: 3
    """
    if kind == "rms":
        return normalize(x, gamma, beta, eps, kind)
    y = (x - np.mean(x, axis=-1, keepdims=True)) / np.sqrt(mean_square(x) + eps) * gamma
    return y if beta is None else y + beta


def mean_absolute(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """Divides by the mean absolute value

    The spread is measured by absolute values instead of squares. That is another average, usually
    smaller than the root of the mean square, so the outputs come out too large.

    Hint: 4
    """
    centred = x if kind == "rms" else x - np.mean(x, axis=-1, keepdims=True)
    y = centred / np.sqrt(np.mean(np.abs(centred), axis=-1, keepdims=True) ** 2 + eps) * gamma
    return y if kind == "rms" or beta is None else y + beta
