# WRONG, as in a published project: query and value are taken from K as well. Not named.
import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    w = d // num_heads
    q, k, v = (a.reshape(n, num_heads, w).transpose(1, 0, 2) for a in (K, K, K))
    s = q @ k.transpose(0, 2, 1) / np.sqrt(w)
    e = np.exp(s - s.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(n, d)
