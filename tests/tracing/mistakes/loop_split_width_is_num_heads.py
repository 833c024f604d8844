import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    seq_len, d_model = Q.shape
    d_k = d_model // num_heads
    outs = []
    for h in range(num_heads):
        cols = slice(h * num_heads, (h + 1) * num_heads)
        q, k, v = Q[:, cols], K[:, cols], V[:, cols]  # <- off
        scores = q @ k.T / np.sqrt(d_k)
        e = np.exp(scores - scores.max(axis=1, keepdims=True))
        w = e / e.sum(axis=1, keepdims=True)
        outs.append(w @ v)
    return np.concatenate(outs, axis=1)
