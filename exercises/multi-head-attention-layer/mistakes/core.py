"""The projections are right, the heads between them are not."""
import numpy as np


def _heads(x_q, x_kv, W_Q, W_K, W_V, num_heads):
    """q, k and v, each (H, n, d_k), and the scaled scores (H, n_q, n_kv)."""
    q, k, v = (split_heads(x, num_heads) for x in (x_q @ W_Q, x_kv @ W_K, x_kv @ W_V))
    return q, k, v, q @ k.swapaxes(1, 2) / q.shape[2] ** 0.5


def scale_dmodel(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """Scales by the width of the whole token

    One head is exact, several heads are too flat. The scores are divided by the root of the
    token's width, but each dot product runs over one head's width only.

    Hint: 4
    """
    q, k, v, scores = _heads(x_q, x_kv, W_Q, W_K, W_V, num_heads)
    return merge_heads(softmax(scores / num_heads**0.5) @ v) @ W_O


def no_scale(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """The scale is missing

    The weights are sharper than they should be. The scores of a head are not divided by the square
    root of its width.

    Hint: 4
    """
    q, k, v, scores = _heads(x_q, x_kv, W_Q, W_K, W_V, num_heads)
    return merge_heads(softmax(q @ k.swapaxes(1, 2)) @ v) @ W_O


def scale_no_root(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """Divides by d_k, not by its root

    The weights are flatter than they should be. The scores are divided by the width of a head
    itself; their spread grows only with its square root.

    Hint: 4
    """
    q, k, v, scores = _heads(x_q, x_kv, W_Q, W_K, W_V, num_heads)
    return merge_heads(softmax(q @ k.swapaxes(1, 2) / q.shape[2]) @ v) @ W_O


def single_head(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """One big head

    `num_heads` is never used: one head attends with the whole width. Every head should have its own
    weights, from its own columns.

    Hint: 4
    """
    return attend(x_q @ W_Q, x_kv @ W_K, x_kv @ W_V, 1) @ W_O


def interleaved_heads(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """The heads take every H-th column

    The columns are dealt out to the heads like cards, one after the other. Each head should get a
    block of neighbouring columns. Look at which of the two new axes of the reshape comes first.

    Hint: 4
    """
    q, k, v = (
        x.reshape(len(x), -1, num_heads).transpose(2, 0, 1)
        for x in (x_q @ W_Q, x_kv @ W_K, x_kv @ W_V)
    )
    heads = softmax(q @ k.swapaxes(1, 2) / q.shape[2] ** 0.5) @ v
    return heads.transpose(1, 2, 0).reshape(len(x_q), -1) @ W_O


def split_without_transpose(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """Reshapes straight into heads

    The reshape to heads first cuts tokens apart. It never moves data, so the first head gets the
    first tokens instead of the first columns of every token. Split the columns first, then move
    the axis of the heads.

    Hint: 4
    """
    d_k = x_q.shape[1] // num_heads
    q, k, v = (
        x.reshape(num_heads, len(x), d_k) for x in (x_q @ W_Q, x_kv @ W_K, x_kv @ W_V)
    )
    return merge_heads(softmax(q @ k.swapaxes(1, 2) / d_k**0.5) @ v) @ W_O


def merge_without_transpose(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """Merges the heads without moving an axis

    The heads are right, but they are merged in another order. A reshape never moves data, so it
    strings all tokens of head 0 together first. Bring the token axis back to the front before the
    reshape. One querying token, or one head, hides it.

    Hint: 4
    """
    q, k, v, scores = _heads(x_q, x_kv, W_Q, W_K, W_V, num_heads)
    return (softmax(scores) @ v).reshape(x_q.shape) @ W_O


def softmax_over_queries(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """Softmax over the queries

    The weights sum to 1 down each column, so queries compete for a key. Every query should
    spread its own weight of 1 over the keys.

    Hint: 4
    """
    q, k, v, scores = _heads(x_q, x_kv, W_Q, W_K, W_V, num_heads)
    return merge_heads(softmax(scores.swapaxes(1, 2)).swapaxes(1, 2) @ v) @ W_O


def unstable(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """No shift in the softmax

    Small scores come out right, large ones as `nan`. np.exp overflows before the division.
    Softmax does not change when a constant comes off a whole row first.

    Hint: 4
    """
    q, k, v, scores = _heads(x_q, x_kv, W_Q, W_K, W_V, num_heads)
    powers = np.exp(scores)
    return merge_heads(powers / powers.sum(axis=-1, keepdims=True) @ v) @ W_O


def global_max(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """One maximum for all rows

    The shift is the largest score of all rows. A row whose scores lie far below it underflows
    to 0/0. Each row of each head needs its own maximum.

    Hint: 4
    """
    q, k, v, scores = _heads(x_q, x_kv, W_Q, W_K, W_V, num_heads)
    powers = np.exp(scores - scores.max())
    return merge_heads(powers / powers.sum(axis=-1, keepdims=True) @ v) @ W_O


def squeezed(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """Axes of length 1 are removed

    The numbers are right, but axes of length 1 are gone from the result. A single querying token
    still gives an array with two axes.

    Hint: 3
    """
    return np.squeeze(attend(x_q @ W_Q, x_kv @ W_K, x_kv @ W_V, num_heads) @ W_O)
