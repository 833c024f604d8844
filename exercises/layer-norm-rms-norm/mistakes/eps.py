"""The small number stands at another place, has another value, or is missing; or the root is."""
import numpy as np


def _centred(x, kind):
    return x if kind == "rms" else x - np.mean(x, axis=-1, keepdims=True)


def _finish(y, gamma, beta, kind):
    """Scale, and shift where there is one."""
    return y * gamma if kind == "rms" or beta is None else y * gamma + beta


def eps_outside(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """Adds eps to the standard deviation

    The result is close when eps is tiny and clearly off when it is large. eps is added after the
    square root; it belongs to the variance, or the mean square, before the root is taken.

    Hint: 4
    """
    c = _centred(x, kind)
    return _finish(c / (np.sqrt(mean_square(c)) + eps), gamma, beta, kind)


def no_eps(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """eps is missing

    A token whose features are all equal comes out as `nan`. Its variance is 0, and 0/0 is not a
    number. That is what eps is for.

    Hint: 4
    """
    c = _centred(x, kind)
    return _finish(c / np.sqrt(mean_square(c)), gamma, beta, kind)


def fixed_eps(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """eps is always the default

    The default eps gives the right result, any other is ignored. The argument `eps` never reaches
    the square root.

    Hint: 4
    """
    return normalize(x, gamma, beta, 1e-5, kind)


def eps_as_floor(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """Takes eps as a lower limit

    The spread is replaced by eps where it is smaller, and left alone elsewhere. The formula adds
    eps to every token's variance, so large values of eps shrink all outputs a little.

    Hint: 4
    """
    c = _centred(x, kind)
    return _finish(c / np.sqrt(np.maximum(mean_square(c), eps)), gamma, beta, kind)


def eps_squared(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """Adds the square of eps

    The result is close when eps is tiny and off when it is large. The square of eps stands under
    the root; the formula adds eps itself to the variance.

    Hint: 4
    """
    return normalize(x, gamma, beta, eps * eps, kind)


def no_root(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """The square root is missing

    The centred values are divided by the variance. Tokens with a small spread come out too large
    and others too small; the scale of a token goes with the root of its variance.

    Hint: 4
    """
    c = _centred(x, kind)
    return _finish(c / (mean_square(c) + eps), gamma, beta, kind)


def euclidean_norm(x, gamma, beta=None, eps=1e-5, kind="layer"):
    """Divides by the length of the token

    All outputs are too small by the same factor. They are divided by the root of the sum of
    squares; the formula has the mean of the squares under its root.

    Hint: 4
    """
    c = _centred(x, kind)
    total = np.sum(c * c, axis=-1, keepdims=True)
    return _finish(c / np.sqrt(total + eps), gamma, beta, kind)
