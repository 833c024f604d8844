"""Multi-head attention on Q, K, V that are already projected: split, attend, merge."""

import numpy as np


def split_heads(x, num_heads):
    """Give every head its own columns: (seq_len, d_model) -> (H, seq_len, d_k)."""
    seq_len, d_model = x.shape
    d_k = d_model // num_heads
    return x.reshape(seq_len, num_heads, d_k).transpose(1, 0, 2)


def merge_heads(heads):
    """Undo the split, last step first: (H, seq_len, d_k) -> (seq_len, d_model)."""
    num_heads, seq_len, d_k = heads.shape
    return heads.transpose(1, 0, 2).reshape(seq_len, num_heads * d_k)


def softmax(x):
    """Softmax over the last axis; the shift by each row's own maximum keeps exp finite."""
    exps = np.exp(x - x.max(axis=-1, keepdims=True))
    return exps / exps.sum(axis=-1, keepdims=True)


def scaled_scores(q, k):
    """Every query against every key, head by head: (H, seq_len, d_k) -> (H, seq_len, seq_len)."""
    d_k = q.shape[-1]
    return q @ k.swapaxes(-1, -2) / np.sqrt(d_k)


def attention(q, k, v):
    """Scaled dot-product attention, on one head or on a stack of heads."""
    return softmax(scaled_scores(q, k)) @ v


def multi_head_attention(Q, K, V, num_heads):
    """Multi-head attention without learned weights: (seq_len, d_model) -> (seq_len, d_model)."""
    q, k, v = (split_heads(x, num_heads) for x in (Q, K, V))  # each (H, seq_len, d_k)
    return merge_heads(attention(q, k, v))
