import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    seq_len, d_model = Q.shape
    d_k = d_model // num_heads
    q = Q
    k = K
    v = V
    scores = q @ k.T / np.sqrt(d_k)  # <- off
    top = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - top)
    total = e.sum(axis=-1, keepdims=True)
    w = e / total
    heads = w @ v
    return heads
