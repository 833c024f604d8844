import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    dk = d // num_heads
    idx = np.arange(d).reshape(num_heads, 1, dk)
    rows = np.arange(n).reshape(1, n, 1)
    q, k, v = Q[rows, idx], K[rows, idx], V[rows, idx]
    s = (q[:, :, None, :] * k[:, None, :, :]).sum(axis=-1) / np.sqrt(dk)
    w = np.exp(s - s.max(axis=-1, keepdims=True))
    w = w / w.sum(axis=-1, keepdims=True)
    o = (w[..., None] * v[:, None]).sum(axis=2)
    out = np.empty((n, d))
    out[rows, idx] = o
    return out
