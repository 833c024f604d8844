"""Scale: the scores are divided by something else than the root of one head's width."""

import numpy as np


def _attend_with_divisor(Q, K, V, num_heads, divisor):
    q, k, v = (split_heads(x, num_heads) for x in (Q, K, V))
    return merge_heads(softmax(q @ k.swapaxes(-1, -2) / divisor) @ v)


def scale_d_model(Q, K, V, num_heads):
    """Scaled by the full width

    Your weights are flatter than they should be, and exact for one head. The scores are scaled by
    the width of the whole model, but each dot product has only one head's columns in it. Which
    width belongs under the root?

    Hint: 4
    """
    return _attend_with_divisor(Q, K, V, num_heads, np.sqrt(Q.shape[1]))


def scale_none(Q, K, V, num_heads):
    """Scores not scaled

    The scores reach the softmax unscaled, so the weights are too sharp. A dot product grows with
    the number of columns it adds up; with heads of width 1 nothing would show. What does the
    formula do between the product and the softmax?

    Hint: 4
    """
    return _attend_with_divisor(Q, K, V, num_heads, 1.0)


def scale_no_sqrt(Q, K, V, num_heads):
    """Scaled by the width, not by its root

    In all, the scores are divided by d_k; the formula takes its root. The weights come out too
    flat. It also happens when q and k are each scaled once: the product then holds the scale
    twice.

    Hint: 4
    """
    return _attend_with_divisor(Q, K, V, num_heads, Q.shape[1] // num_heads)


def scale_precedence(Q, K, V, num_heads):
    """Scaled by half the width

    The scores are divided by half of d_k, not by its root. The two agree only at d_k = 4. If that
    line has a power in it: `**` binds tighter than `/`, so look at what the exponent really is.

    Hint: 4
    """
    d_k = Q.shape[1] // num_heads
    return _attend_with_divisor(Q, K, V, num_heads, d_k**1 / 2)


def scale_precedence_in_line(Q, K, V, num_heads):
    """Divided once by the width and once by two

    The scores are divided by twice d_k, not by its root. In `a / b ** 1 / 2` Python works from
    left to right: first the power, then each division in its turn. What is the exponent really?

    Hint: 4
    """
    d_k = Q.shape[1] // num_heads
    return _attend_with_divisor(Q, K, V, num_heads, 2 * d_k)


def scale_floor_sqrt(Q, K, V, num_heads):
    """Root cut to a whole number

    The root of d_k loses its decimals before it divides. It is exact only where d_k is a perfect
    square. Which step turns it into an integer?

    Hint: 4
    """
    d_k = Q.shape[1] // num_heads
    return _attend_with_divisor(Q, K, V, num_heads, int(np.sqrt(d_k)))


def scale_num_heads(Q, K, V, num_heads):
    """Scaled by the number of heads

    The scores are scaled by how many heads there are, not how wide. The first two examples have as
    many heads as each head has columns, so they can't show it. Which of the two numbers makes a
    dot product larger?

    Hint: 4
    """
    return _attend_with_divisor(Q, K, V, num_heads, np.sqrt(num_heads))


def scale_seq_len(Q, K, V, num_heads):
    """Scaled by the number of tokens

    The scores are scaled by the number of tokens, not the head width. More tokens do not make one
    dot product larger; more columns do. If the length is read off an array, look at which axis it
    comes from.

    Hint: 4
    """
    return _attend_with_divisor(Q, K, V, num_heads, np.sqrt(len(Q)))


def scale_multiply(Q, K, V, num_heads):
    """Scaled the other way

    The scores are multiplied by the root of d_k, so weights are far too sharp. The scale is there
    to bring large dot products back to moderate size. Dividing by a scale that is inverted already
    does the same as multiplying.

    Hint: 4
    """
    d_k = Q.shape[1] // num_heads
    return _attend_with_divisor(Q, K, V, num_heads, 1 / np.sqrt(d_k))


def scale_hard_coded(Q, K, V, num_heads):
    """A fixed divisor

    The scores are divided by 8, whatever the width of a head. A fixed number suits one width only
    (8 is the scale of heads 64 wide). Let it follow from d_model and num_heads.

    Hint: 4
    """
    return _attend_with_divisor(Q, K, V, num_heads, 8.0)


def scale_after_softmax(Q, K, V, num_heads):
    """Scaled after the softmax

    Your weights no longer sum to 1: the scale comes after the softmax. There it only shrinks the
    output; its place is where it decides how sharp the weights are.

    Hint: 4
    """
    q, k, v = (split_heads(x, num_heads) for x in (Q, K, V))
    weights = softmax(q @ k.swapaxes(-1, -2)) / np.sqrt(q.shape[-1])
    return merge_heads(weights @ v)
