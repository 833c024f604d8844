import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    q, k, v = Q.copy(), K.copy(), V.copy()
    for x in (q, k, v):
        x.shape = (n, num_heads, d // num_heads)
    q = q.transpose(1, 0, 2); k = k.transpose(1, 2, 0); v = v.transpose(1, 0, 2)
    s = q @ k / np.sqrt(d // num_heads)
    w = np.exp(s - s.max(-1, keepdims=True))
    w /= w.sum(-1, keepdims=True)
    out = np.ascontiguousarray((w @ v).transpose(1, 0, 2))
    out.shape = n, d
    return out
