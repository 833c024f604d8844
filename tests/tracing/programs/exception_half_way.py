import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    w = d // num_heads
    q, k, v = (x.reshape(n, num_heads, w) for x in (Q, K, V))
    scores = q @ k / np.sqrt(w)
    return scores @ v
