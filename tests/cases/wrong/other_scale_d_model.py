# mistake: scale-d-model
# symptom: per-head loop, power
import numpy as np


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def multi_head_attention(Q, K, V, num_heads):
    heads = []
    for q, k, v in zip(*(np.split(x, num_heads, axis=1) for x in (Q, K, V))):
        heads.append(softmax(q @ k.T * Q.shape[1] ** -0.5) @ v)
    return np.hstack(heads)
