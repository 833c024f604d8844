"""Wrong running maxima."""
import numpy as np


def block_maximum_only(m, s):
    """The maximum of the block replaces the running one

    The maximum of each block replaces the running one, even when it is smaller. The repair factor
    then grows, and overflows when an earlier block led by thousands. The running maximum never
    shrinks.

    Hint: 4
    """
    return s.max(axis=1, keepdims=True)


def one_maximum_for_all(m, s):
    """One maximum for all queries

    All queries share one running maximum. A query that lies thousands below it underflows to 0,
    and 0 divided by 0 is nan. Each query has its own maximum.

    Hint: 3
    """
    return np.maximum(m, s.max())


def no_maximum(m, s):
    """exp without a running maximum

    The exponentials are taken without a maximum, so large scores overflow. Very negative ones all
    become 0. Both end in nan; the running maximum keeps every exponent at or below 0.

    Hint: 2
    """
    return np.zeros_like(m)
