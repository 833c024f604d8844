"""Wrong weighted sums of values."""


def rescale_l_only(acc, repair, p, V_block):
    """The weighted values are not repaired

    The lse is right, the output is not. The sum of exponentials is repaired, but the weighted sum
    of values is not. Both were measured against the same old maximum.

    Hint: 2
    """
    return acc + p @ V_block
