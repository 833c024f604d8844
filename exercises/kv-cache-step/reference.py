"""One decoding step: grow the KV cache and attend to everything up to each new token."""
import numpy as np


def split_heads(x, num_heads):
    """(n, d_model) -> (num_heads, n, d_k)."""
    n, d_model = x.shape
    return x.reshape(n, num_heads, d_model // num_heads).transpose(1, 0, 2)


def merge_heads(x):
    """(num_heads, n, d_k) -> (n, d_model)."""
    num_heads, n, d_k = x.shape
    return x.transpose(1, 0, 2).reshape(n, num_heads * d_k)


def softmax(scores):
    """Softmax over the keys, shifted by the maximum of each row."""
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attend(q, K, V, visible, num_heads):
    """Multi-head attention of q (m, d_model) over K, V; visible is (m, n_k)."""
    q, K, V = split_heads(q, num_heads), split_heads(K, num_heads), split_heads(V, num_heads)
    scores = q @ K.transpose(0, 2, 1) / np.sqrt(q.shape[-1])  # (H, m, n_k)
    scores = np.where(visible, scores, -np.inf)
    return merge_heads(softmax(scores) @ V)


def decode_step(q, k, v, k_cache, v_cache, num_heads):
    """Return the output of the new tokens and both caches with the new rows appended."""
    m, t = len(q), len(k_cache)
    K = np.concatenate([k_cache, k])  # (t + m, d_model)
    V = np.concatenate([v_cache, v])
    visible = np.arange(t + m) <= t + np.arange(m)[:, None]  # (m, t + m)
    return attend(q, K, V, visible, num_heads), K, V
