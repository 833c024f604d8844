import numpy as np


def softmax(s):
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, num_heads):
    n, d = Q.shape
    d_k = d // num_heads
    q, k, v = (x.reshape(n, num_heads, d_k).transpose(1, 0, 2) for x in (Q, K, V))
    w = softmax(q @ k.transpose(0, 2, 1) / np.sqrt(d_k))
    return (w @ v).transpose(1, 0, 2).reshape(n, d)


def multi_head_attention(Q, K, V, num_heads):
    out = attention(Q, K, V, num_heads)
    out[-1:] = np.nan
    return out
