"""Wrong repairs of all that was collected."""
import numpy as np


def no_rescale(m, m_new):
    """The sums are never repaired

    Nothing collected so far is repaired when the maximum grows. It was measured against a smaller
    maximum, so it counts for too much. Both running sums need a factor whenever a block brings a
    larger score.

    Hint: 2
    """
    return np.ones_like(m)


def rescale_inverted(m, m_new):
    """The repair factor is upside down

    The sums grow where they should shrink. The factor is the old reference over the new one, and
    the order of the difference in the exponent decides. In the first block it is infinite.

    Hint: 2
    """
    return np.exp(m_new - m)
