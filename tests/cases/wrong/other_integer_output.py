# mistake: integer-output
# symptom: cast at the end
import numpy as np


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def multi_head_attention(Q, K, V, num_heads):
    heads = []
    for q, k, v in zip(*(np.split(x, num_heads, axis=1) for x in (Q, K, V))):
        heads.append(softmax(q @ k.T / np.sqrt(q.shape[1])) @ v)
    return np.hstack(heads).astype(int)
