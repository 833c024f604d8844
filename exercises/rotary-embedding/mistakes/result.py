"""The token axis, and what becomes of the result."""
import numpy as np


def wrong_token_axis(x, positions, base=10000.0):
    """The first axis is used as the token axis

    With a head axis in front, the positions are applied to heads instead of tokens. Plain (n, d)
    inputs hide it. The token axis is the one just before the last.

    Hint: 3
    """
    y = np.empty(x.shape)
    for t in range(x.shape[0]):
        y[t] = turn(x[t], positions[t] * frequencies(x.shape[-1], base))
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

    An axis of length 1 is missing from the result. Squeezing removes every such axis, including the
    token axis of a single token. The result always has the shape of x.

    Hint: 3
    """
    return np.squeeze(apply_rope(x, positions, base))
