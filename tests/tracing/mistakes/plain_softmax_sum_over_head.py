import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    seq_len, d_model = Q.shape
    d_k = d_model // num_heads
    q = Q.reshape(seq_len, num_heads, d_k).transpose(1, 0, 2)
    k = K.reshape(seq_len, num_heads, d_k).transpose(1, 0, 2)
    v = V.reshape(seq_len, num_heads, d_k).transpose(1, 0, 2)
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(d_k)
    top = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - top)
    total = e.sum(axis=(1, 2), keepdims=True)  # <- off
    w = e / total
    heads = w @ v
    return heads.transpose(1, 0, 2).reshape(seq_len, d_model)
