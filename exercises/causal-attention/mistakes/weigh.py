"""The mask comes after the softmax."""
import numpy as np


def mask_after_softmax(scores):
    """Masks the weights, which then sum to less

    The future has weight 0, but what is left no longer sums to 1. The softmax was taken over all
    keys first, so the future still stands in the denominator. Where should the mask go?

    Hint: 2
    """
    return softmax(scores) * causal_mask(*scores.shape)


def renormalise_after(scores):
    """Lets the future into the softmax, then divides again

    Dividing again is right on paper, but not on a computer. A future key still sets the maximum;
    when it leads by far, the weights of the past underflow to 0 and nothing is left to divide by.
    Remove the future before anything looks at the scores.

    Hint: 2
    """
    weights = softmax(scores) * causal_mask(*scores.shape)
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total == 0, 1.0, total)


def zero_times_infinity(scores):
    """Multiplies the mask by infinity

    Nearly every row is `nan`, because 0 times infinity is `nan`. The mask is built as a product
    with infinity, so the allowed cells, which should get 0, get `nan`. Choose between two values
    instead of multiplying.

    Hint: 4
    """
    masked = scores + (1.0 - causal_mask(*scores.shape)) * -np.inf
    powers = np.exp(masked - masked.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)
