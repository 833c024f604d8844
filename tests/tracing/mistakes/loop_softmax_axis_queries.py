import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    seq_len, d_model = Q.shape
    d_k = d_model // num_heads
    outs = []
    for h in range(num_heads):
        cols = slice(h * d_k, (h + 1) * d_k)
        q, k, v = Q[:, cols], K[:, cols], V[:, cols]
        scores = q @ k.T / np.sqrt(d_k)
        e = np.exp(scores - scores.max(axis=1, keepdims=True))
        w = e / e.sum(axis=0, keepdims=True)  # <- off
        outs.append(w @ v)
    return np.concatenate(outs, axis=1)
