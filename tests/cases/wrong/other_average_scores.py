# mistake: average-scores
# symptom: mean over the heads
import numpy as np


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    q, k, v = (x.reshape(n, num_heads, d // num_heads).transpose(1, 0, 2) for x in (Q, K, V))
    scores = (q @ k.mT / np.sqrt(d // num_heads)).mean(axis=0)
    return (softmax(scores) @ v).transpose(1, 0, 2).reshape(n, d)
