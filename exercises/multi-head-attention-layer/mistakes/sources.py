"""Queries, keys or values come from the other tokens."""
import numpy as np


def values_from_query(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """The values come from the querying tokens

    Self-attention is right, cross-attention is not. The values are taken from the tokens that ask.
    Keys and values belong together: the tokens that answer give both.

    Hint: 2
    """
    return attend(x_q @ W_Q, x_kv @ W_K, x_q @ W_V, num_heads) @ W_O


def keys_from_query(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """Keys and values come from the querying tokens

    `x_kv` is never used: changing it does not change the output. It is where keys and values come
    from.

    Hint: 2
    """
    return attend(x_q @ W_Q, x_q @ W_K, x_q @ W_V, num_heads) @ W_O


def keys_only_from_query(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """The keys come from the querying tokens

    Self-attention is right, cross-attention is not. The scores compare the querying tokens with
    one another, but the values belong to other tokens. Keys and values go together.

    Hint: 2
    """
    return attend(x_q @ W_Q, x_q @ W_K, x_kv @ W_V, num_heads) @ W_O


def swapped_tokens(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """x_q and x_kv are swapped

    The answering tokens ask, and the asking ones answer. The result should have one row for each
    row of `x_q`.

    Hint: 2
    """
    return attend(x_kv @ W_Q, x_q @ W_K, x_q @ W_V, num_heads) @ W_O


def equal_shapes_are_self(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """Treats equal lengths as self-attention

    It works when the two lengths differ. When both token lists have the same length, `x_kv` is
    ignored, but equal shapes do not mean equal tokens.

    Hint: 2
    """
    source = x_q if x_q.shape == x_kv.shape else x_kv
    return attend(x_q @ W_Q, source @ W_K, source @ W_V, num_heads) @ W_O


def one_length(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """Splits keys and values by the number of queries

    Equal lengths are right, other lengths cannot be reshaped. The keys and values are split as if
    there were as many of them as queries; they have a length of their own.

    Hint: 3
    """
    n_q, d_model = x_q.shape
    q, k, v = (
        x.reshape(n_q, num_heads, d_model // num_heads).transpose(1, 0, 2)
        for x in (x_q @ W_Q, x_kv @ W_K, x_kv @ W_V)
    )
    return merge_heads(softmax(q @ k.swapaxes(1, 2) / q.shape[2] ** 0.5) @ v) @ W_O
