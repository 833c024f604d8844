"""The reductions run along another axis than the one asked for."""
import numpy as np


def no_keepdims(x, axis=-1):
    """The reduced axis is dropped

    The maximum and the sum have lost the axis they were taken over. So NumPy lines them up with
    another axis, or refuses; a square matrix hides it. What shape lets one number per slice line up
    with the slice?

    Hint: 3
    """
    powers = np.exp(x - x.max(axis=axis))
    return powers / powers.sum(axis=axis)


def ignores_axis(x, axis=-1):
    """Always normalises the last axis

    The last axis sums to 1, whichever axis was asked for. The argument `axis` never reaches the
    reductions.

    Hint: 4
    """
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def axis_zero(x, axis=-1):
    """Always normalises the first axis

    The result sums to 1 down the first axis, whichever axis was asked for. Look at which axis the
    maximum and the sum run over, and at what the argument `axis` is for.

    Hint: 4
    """
    powers = np.exp(x - x.max(axis=0, keepdims=True))
    return powers / powers.sum(axis=0, keepdims=True)


def global_sum(x, axis=-1):
    """Divides by the sum of everything

    All weights together sum to 1; each slice should. The denominator is one sum for the whole
    array. How many denominators does an array with several slices need?

    Hint: 3
    """
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum()


def sum_over_last_axis(x, axis=-1):
    """Maximum along `axis`, sum along the last axis

    The shift follows `axis`, but the division does not. It is right for the default axis only:
    elsewhere the sums are taken across slices instead of along them.

    Hint: 4
    """
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def matrix_only(x, axis=-1):
    """Takes every array for a matrix

    Matrices come out right, other ranks only by luck. The lost axis is put back by hand, as if there
    were always rows and columns. An array of rank 1 or 3 has other places for it; NumPy can keep
    the axis for any rank.

    Hint: 3
    """
    if axis == 0:
        powers = np.exp(x - x.max(axis=0)[None, :])
        return powers / powers.sum(axis=0)[None, :]
    powers = np.exp(x - x.max(axis=axis)[:, None])
    return powers / powers.sum(axis=axis)[:, None]


def negative_axis(x, axis=-1):
    """Knows -1 but no other negative axis

    The default axis works, and so do axes counted from the front. Other axes counted from the end,
    such as -2, meet no axis of that number, because the axes are compared one by one with 0, 1, 2.
    Negative axes are part of NumPy's convention.

    Hint: 3
    """
    if axis == -1:
        axis = x.ndim - 1
    kept = [1 if i == axis else size for i, size in enumerate(x.shape)]
    powers = np.exp(x - x.max(axis=axis).reshape(kept))
    return powers / powers.sum(axis=axis).reshape(kept)


def swaps_last_axes(x, axis=-1):
    """Trades the asked axis for the last but one

    Matrices come out right, and the last axis of any array does too. For every other axis the last
    two change places, which brings the asked axis to the end only if it stood right before it. Each
    axis has its own way to the end; a reduction with a kept axis needs none.

    Hint: 3
    """
    if axis in (-1, x.ndim - 1):
        powers = np.exp(x - x.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)
    return swaps_last_axes(x.swapaxes(-1, -2)).swapaxes(-1, -2)
