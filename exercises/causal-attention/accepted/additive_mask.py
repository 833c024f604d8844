import numpy as np


def causal_attention(Q, K, V):
    n_q, d_k = Q.shape
    n_k = K.shape[0]
    mask = np.triu(np.full((n_q, n_k), -np.inf), k=n_k - n_q + 1)
    scores = np.einsum("qd,kd->qk", Q, K) / np.sqrt(d_k) + mask
    top = np.max(scores, axis=1, keepdims=True)
    top[top == -np.inf] = 0.0
    powers = np.exp(scores - top)
    total = np.sum(powers, axis=1, keepdims=True)
    weights = np.divide(powers, total, out=np.zeros_like(powers), where=total > 0)
    return np.matmul(weights, V)
