"""The heads are other ones."""
import numpy as np


def single_head(Q, K, V, num_heads):
    """One big head

    `num_heads` is never used: one head attends with the whole width. Every head should have its own
    weights, from its own columns.

    Hint: 4
    """
    return attend(Q, K, V, 1)


def interleaved_heads(Q, K, V, num_heads):
    """The heads take every H-th column

    The columns are dealt out to the heads like cards, one after the other. Each head should get a
    block of neighbouring columns. Look at which of the two new axes of the reshape comes first.

    Hint: 4
    """
    q, k, v = (x.reshape(len(x), -1, num_heads).transpose(2, 0, 1) for x in (Q, K, V))
    heads = softmax(scaled_scores(q, k)) @ v
    return heads.transpose(1, 2, 0).reshape(len(Q), -1)
