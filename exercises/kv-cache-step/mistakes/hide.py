"""The mask is right, but what hidden scores become is not."""
import numpy as np


def zero_scores_hidden(scores, visible):
    """Every score of 0 counts as hidden

    The code hides every score that equals 0 after cutting the triangle. A visible score can be 0
    as well, and then it vanishes too. Positions decide what is hidden, not values.

    Hint: 5
    """
    left = np.where(visible, scores, 0.0)
    return np.where(left == 0, -np.inf, left)


def hidden_scores_zero(scores, visible):
    """Hidden scores become 0

    Hidden scores are set to 0 before the softmax. A score of 0 still earns weight, since exp(0) is
    1. What has to become 0 is the weight.

    Hint: 5
    """
    return np.where(visible, scores, 0.0)


def mask_infinity_times_zero(scores, visible):
    """Minus infinity is multiplied by 0

    The mask is minus infinity times 0 or 1, and infinity times 0 is nan. So every visible score
    becomes nan. Choose between two values instead of multiplying.

    Hint: 5
    """
    return scores + -np.inf * ~visible


def mask_minus_100(scores, visible):
    """A mask of -100 is added

    Adding -100 pushes hidden scores down, but not far enough. A hidden score that leads by
    thousands still wins. Only minus infinity is below every score.

    Hint: 4
    """
    return scores - 100.0 * ~visible


def mask_minus_1e4(scores, visible):
    """A mask of -1e4 is added

    Adding -1e4 pushes hidden scores down, but not far enough. A hidden score that leads by more
    still wins. Only minus infinity is below every score.

    Hint: 4
    """
    return scores - 1e4 * ~visible


def mask_minus_1e9(scores, visible):
    """A large finite mask is added

    Adding -1e9 hides ordinary scores, but not beside huge ones. Next to a score of that size it is
    lost in rounding, and hidden positions keep their weight. Minus infinity is never lost.

    Hint: 4
    """
    return scores - 1e9 * ~visible


def fill_minus_1e4(scores, visible):
    """Hidden scores become -1e4

    Hidden scores become -1e4, and some visible scores are lower still. Then the hidden positions
    take all the weight. Only minus infinity is below every score.

    Hint: 4
    """
    return np.where(visible, scores, -1e4)


def fill_minus_1e6(scores, visible):
    """Hidden scores become -1e6

    Hidden scores become -1e6, and some visible scores are lower still. Then the hidden positions
    take all the weight. Only minus infinity is below every score.

    Hint: 4
    """
    return np.where(visible, scores, -1e6)


def fill_minus_1e9(scores, visible):
    """Hidden scores become a finite number

    Hidden scores become a large negative number, and some visible scores are lower still. Even
    -1e9 or -1e30 is a score like others; there the hidden positions take all the weight. Only minus
    infinity is below every score.

    Hint: 4
    """
    return np.where(visible, scores, -1e9)
