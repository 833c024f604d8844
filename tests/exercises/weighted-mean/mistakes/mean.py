import numpy as np


def plain_mean(x, p, kind="plain"):
    """Weights left out

    The rows are averaged without their weights. Where do the weights come in?

    Hint: 2
    """
    return x.mean(axis=-2), float(p["weights"].sum())


def mean_only(x, p, kind="plain"):
    """Only the mean

    Only one of the two parts comes back.

    Hint: 1
    """
    return weighted_mean(x, p, kind)[0]


def changes_weights(x, p, kind="plain"):
    """Weights changed

    The weights are divided in place.
    """
    result = weighted_mean(x, p, kind)
    p["weights"] /= 2
    return result


def ignores_kind(x, p, kind="plain"):
    """Kind ignored

    The kind of weights makes no difference here.
    """
    return weighted_mean(x, p)


def never_squares(x, p, kind="plain"):
    """Kind ignored, again

    The weights are never squared.

    Same as: ignores-kind
    """
    return weighted_mean(x, p)


def never_ends(x, p, kind="plain"):
    """A loop without end

    The loop's condition never becomes false.
    """
    raise RuntimeError("stands for a loop without end")
