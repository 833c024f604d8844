# mistake: softmax-axis-queries
# symptom: column sums in a loop
import numpy as np


def multi_head_attention(Q, K, V, num_heads):
    out = np.zeros(Q.shape)
    w = Q.shape[1] // num_heads
    for h in range(num_heads):
        c = slice(h * w, h * w + w)
        s = Q[:, c] @ K[:, c].T / w**0.5
        e = np.exp(s - s.max(axis=0))
        out[:, c] = e / e.sum(axis=0) @ V[:, c]
    return out
