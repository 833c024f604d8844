# mistake: roles-weights-transposed
# symptom: einsum indices swapped
import numpy as np


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    q, k, v = (x.reshape(n, num_heads, -1) for x in (Q, K, V))
    weights = softmax(np.einsum("nhd,mhd->hnm", q, k) / np.sqrt(d // num_heads))
    return np.einsum("hmn,mhd->nhd", weights, v).reshape(n, d)
