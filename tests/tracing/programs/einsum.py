import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    split = lambda x: x.reshape(len(x), num_heads, -1)
    q, k, v = map(split, (Q, K, V))
    s = np.einsum("nhd,mhd->hnm", q, k) / q.shape[-1] ** 0.5
    s = np.exp(
        s
        - s.max(axis=-1, keepdims=True)
    )
    return np.einsum("hnm,mhd->nhd", s / s.sum(axis=-1, keepdims=True), v).reshape(Q.shape)
