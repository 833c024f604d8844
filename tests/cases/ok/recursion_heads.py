import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    if num_heads == 1:
        s = Q @ K.T / np.sqrt(Q.shape[1])
        s = s - s.max(axis=1, keepdims=True)
        w = np.exp(s)
        return w / w.sum(axis=1, keepdims=True) @ V
    d_k = Q.shape[1] // num_heads
    first = multi_head_attention(Q[:, :d_k], K[:, :d_k], V[:, :d_k], 1)
    rest = multi_head_attention(Q[:, d_k:], K[:, d_k:], V[:, d_k:], num_heads - 1)
    return np.hstack((first, rest))
