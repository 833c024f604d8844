"""One head of attention: softmax(Q K^T / sqrt(d_k)) V."""
import numpy as np


def softmax(scores):
    """Weights over the last axis, shifted by each row's own maximum."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(Q, K, V):
    """(n_q, d_k), (n_k, d_k), (n_k, d_v) -> (n_q, d_v)."""
    n_k, d_k = K.shape
    scores = Q @ K.T / d_k ** 0.5  # (n_q, n_k)
    weights = softmax(scores)  # every row sums to 1
    return weights @ V
