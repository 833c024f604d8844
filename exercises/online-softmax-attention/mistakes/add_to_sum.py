"""Wrong sums of exponentials."""


def rescale_acc_only(l, repair, p):
    """The sum of exponentials is not repaired

    Both results are off: the weighted values are repaired, their denominator is not. Both sums
    were measured against the same old maximum.

    Hint: 2
    """
    return l + p.sum(axis=1, keepdims=True)
