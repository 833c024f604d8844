"""Exceptions: the program stops by itself; known by the exception's type and text."""

import numpy as np


def float_width(Q, K, V, num_heads):
    """A width that is a float

    A float stands where NumPy needs an integer, most likely the head width. In Python `/` gives a
    float even when nothing is left over. Which division stays in the integers?

    Hint: 3
    """
    # In a reshape. In a slice the text is "slice indices must be integers or None ...".
    seq_len, d_model = Q.shape
    d_k = d_model / num_heads
    return Q.reshape(seq_len, num_heads, d_k).transpose(1, 0, 2)


def checks_seq_len(Q, K, V, num_heads):
    """A check on the number of tokens

    An assert stops the function where num_heads does not divide seq_len. The heads share columns,
    not tokens, so any number of tokens is fine. Which size does num_heads have to divide?

    Hint: 1
    """
    # As the starter's own assert, without a text.
    seq_len, _ = Q.shape
    assert seq_len % num_heads == 0
    return multi_head_attention(Q, K, V, num_heads)


def np_softmax(Q, K, V, num_heads):
    """np.softmax does not exist

    NumPy has no function called softmax. It takes three steps of your own: make every score
    positive, sum over a row, divide; and keep the numbers in range on the way.

    Hint: 4
    """
    q, k, v = (split_heads(x, num_heads) for x in (Q, K, V))
    return merge_heads(np.softmax(scaled_scores(q, k), axis=-1) @ v)


def width_from_seq_len(Q, K, V, num_heads):
    """Head width taken from the tokens

    The head width is worked out from seq_len, so the reshape can't hold the array. Heads share the
    columns; every head sees all the tokens. From which size does the width follow?

    Hint: 3
    """
    seq_len = Q.shape[0]
    d_k = seq_len // num_heads
    q, k, v = (x.reshape(seq_len, num_heads, d_k).transpose(1, 0, 2) for x in (Q, K, V))
    return merge_heads(attention(q, k, v))
