"""The mask comes after the softmax."""
import numpy as np


def mask_after_softmax(scores, visible):
    """The mask comes after the softmax

    Weights are set to 0 after the softmax; the rest no longer sums to 1. Hidden positions must not
    take part in the sum. The mask belongs before the softmax.

    Hint: 4
    """
    return softmax(scores) * visible


def mask_renormalised(scores, visible):
    """Masked after the softmax, then renormalised

    The softmax runs over all positions and is repaired afterwards. When a hidden score leads by
    thousands, all visible weights underflow to 0 first. The mask belongs before the softmax.

    Hint: 4
    """
    weights = softmax(scores) * visible
    return weights / weights.sum(axis=-1, keepdims=True)
