import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    q, k, v = (x.reshape(n, num_heads, -1) for x in (Q, K, V))
    s = np.matmul(q, k, axes=[(0, 2), (2, 0), (1, 2)]) / np.sqrt(q.shape[-1])
    s = np.exp(s - s.max(-1, keepdims=True))
    w = s / s.sum(-1, keepdims=True)
    out = np.matmul(w, v, axes=[(1, 2), (0, 2), (0, 2)])
    return out.reshape(n, d)
