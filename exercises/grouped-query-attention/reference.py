"""Grouped-query attention: every KV head serves a group of consecutive query heads."""
import numpy as np


def split_heads(x, num_heads):
    """(n, num_heads * d) -> (num_heads, n, d)."""
    n, width = x.shape
    return x.reshape(n, num_heads, width // num_heads).transpose(1, 0, 2)


def merge_heads(x):
    """(num_heads, n, d) -> (n, num_heads * d)."""
    num_heads, n, d = x.shape
    return x.transpose(1, 0, 2).reshape(n, num_heads * d)


def softmax(scores):
    """Softmax over the keys, shifted by the maximum of each row."""
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def grouped_query_attention(Q, K, V, num_q_heads, num_kv_heads):
    """Attend with num_q_heads query heads over num_kv_heads key/value heads."""
    group = num_q_heads // num_kv_heads
    q = split_heads(Q, num_q_heads)  # (H_q, n_q, d)
    k = split_heads(K, num_kv_heads).repeat(group, axis=0)  # (H_q, n_k, d)
    v = split_heads(V, num_kv_heads).repeat(group, axis=0)
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])  # (H_q, n_q, n_k)
    return merge_heads(softmax(scores) @ v)
