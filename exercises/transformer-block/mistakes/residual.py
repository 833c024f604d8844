"""Misconceptions about the stream: what is added to what."""
import numpy as np


def _first(z, p, eps):
    return layer_norm(z, p["ln1_g"], p["ln1_b"], eps)


def _second(z, p, eps):
    return layer_norm(z, p["ln2_g"], p["ln2_b"], eps)


def post_norm(x, p, num_heads, eps=1e-5):
    """Normalised after the addition

    The stream is normalised after each addition, the layout of 2017. With both halves switched
    off, such a block still changes x. In a pre-norm block the stream itself is never normalised.

    Hint: 1
    """
    h = _first(x + attention(x, p, num_heads), p, eps)
    return _second(h + feed_forward(h, p), p, eps)


def residual_from_norm(x, p, num_heads, eps=1e-5):
    """The result is added to the normalised copy

    The residual starts from the normalised copy, so the original stream is lost. Each half reads
    the copy but adds to what it copied from.

    Hint: 1
    """
    a = _first(x, p, eps)
    h = a + attention(a, p, num_heads)
    b = _second(h, p, eps)
    return b + feed_forward(b, p)


def no_second_residual(x, p, num_heads, eps=1e-5):
    """The second residual is missing

    The output holds only what the feed-forward half produced. The stream ends before it. Each half
    adds its result to the stream.

    Hint: 1
    """
    h = x + attention(_first(x, p, eps), p, num_heads)
    return feed_forward(_second(h, p, eps), p)


def no_first_residual(x, p, num_heads, eps=1e-5):
    """The first residual is missing

    The result of attention replaces x instead of being added to it. What the tokens were is lost
    in the first half. Each half adds its result to the stream.

    Hint: 1
    """
    h = attention(_first(x, p, eps), p, num_heads)
    return h + feed_forward(_second(h, p, eps), p)


def no_residuals(x, p, num_heads, eps=1e-5):
    """Both residuals are missing

    Nothing of x reaches the output directly: both additions are missing. The two halves run one
    after the other, without a stream that carries x past them.

    Hint: 1
    """
    h = attention(_first(x, p, eps), p, num_heads)
    return feed_forward(_second(h, p, eps), p)


def second_residual_from_x(x, p, num_heads, eps=1e-5):
    """The second half adds to x

    The second half adds to x, so what attention has added is lost. The stream has moved on by
    then. The formula adds to h.

    Hint: 4
    """
    h = x + attention(_first(x, p, eps), p, num_heads)
    return x + feed_forward(_second(h, p, eps), p)


def residual_added_twice(x, p, num_heads, eps=1e-5):
    """x is added once more at the end

    The output holds x twice. The stream h already carries x, and the second half adds to h alone.

    Hint: 4
    """
    return x + transformer_block(x, p, num_heads, eps)


def ln2_reads_x(x, p, num_heads, eps=1e-5):
    """The second norm reads x instead of h

    The feed-forward half reads x, not what attention has added to it. Parallel blocks do that on
    purpose. In this one the halves follow each other.

    Hint: 4
    """
    h = x + attention(_first(x, p, eps), p, num_heads)
    return h + feed_forward(_second(x, p, eps), p)


def halves_swapped(x, p, num_heads, eps=1e-5):
    """Feed-forward comes first

    The feed-forward half runs before attention. The formula attends first, so that the
    feed-forward half can work on what was gathered.

    Hint: 4
    """
    h = x + feed_forward(_second(x, p, eps), p)
    return h + attention(_first(h, p, eps), p, num_heads)


def adds_into_x(x, p, num_heads, eps=1e-5):
    """An argument is changed in place

    The numbers are right, but an argument has changed. An in-place addition writes into the array
    of the caller, and what is stored in `p` stays in the dict of the caller. A new name leaves both
    alone.

    Hint: 4
    """
    x += attention(_first(x, p, eps), p, num_heads)
    x += feed_forward(_second(x, p, eps), p)
    return x


def final_squeeze(x, p, num_heads, eps=1e-5):
    """Axes of length 1 are squeezed away

    An axis of length 1 is missing from the result. Squeezing removes every such axis, also the one
    of a single token. The result is always (n, d_model).

    Hint: 3
    """
    return np.squeeze(transformer_block(x, p, num_heads, eps))
