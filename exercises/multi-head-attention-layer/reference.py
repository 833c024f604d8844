"""Multi-head attention with its four projections, for self- and cross-attention."""
import numpy as np


def split_heads(x, num_heads):
    """(n, d_model) -> (H, n, d_k): head h gets columns h*d_k : (h+1)*d_k."""
    n, d_model = x.shape
    return x.reshape(n, num_heads, d_model // num_heads).transpose(1, 0, 2)


def merge_heads(heads):
    """(H, n, d_k) -> (n, H * d_k): the heads side by side, in order."""
    num_heads, n, d_k = heads.shape
    return heads.transpose(1, 0, 2).reshape(n, num_heads * d_k)


def scaled_scores(q, k):
    """Every query against every key, head by head: (H, n_q, n_kv)."""
    return q @ k.transpose(0, 2, 1) / q.shape[2] ** 0.5


def shift(scores):
    """Take each row's own maximum off, which keeps exp finite."""
    return scores - scores.max(axis=-1, keepdims=True)


def softmax(scores):
    """Weights over the last axis."""
    powers = np.exp(shift(scores))
    return powers / powers.sum(axis=-1, keepdims=True)


def attend(Q, K, V, num_heads):
    """The head core: (n_q, d_model), (n_kv, d_model) twice -> (n_q, d_model)."""
    q, k, v = (split_heads(x, num_heads) for x in (Q, K, V))
    return merge_heads(softmax(scaled_scores(q, k)) @ v)


def multi_head_attention_layer(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """(n_q, d_model), (n_kv, d_model), four (d_model, d_model) -> (n_q, d_model)."""
    return attend(x_q @ W_Q, x_kv @ W_K, x_kv @ W_V, num_heads) @ W_O
