# mistake: split-and-merge-interleaved
# symptom: strided columns
import numpy as np


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def multi_head_attention(Q, K, V, num_heads):
    out = np.zeros_like(Q)
    w = Q.shape[1] // num_heads
    for h in range(num_heads):
        q, k, v = (x[:, h::num_heads] for x in (Q, K, V))
        out[:, h::num_heads] = softmax(q @ k.T / np.sqrt(w)) @ v
    return out
