import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    x = [a.reshape(n, num_heads, d // num_heads).transpose(1, 0, 2) for a in (Q, K, V)]
    s = x[0] @ x[1].transpose(0, 2, 1) / \
        np.sqrt(d // num_heads)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return ((e / e.sum(axis=-1, keepdims=True)) @ x[2]).transpose(1, 0, 2).reshape(n, d)
