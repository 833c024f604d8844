"""Causal attention with the triangle aligned to the bottom right corner."""
import numpy as np


def causal_mask(n_q, n_k):
    """True where query i may see key j; the queries are the last n_q positions."""
    return np.arange(n_k) <= np.arange(n_q)[:, None] + (n_k - n_q)


def softmax(scores):
    """Weights over the last axis, shifted by each row's own maximum."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def causal_attention(Q, K, V):
    """(n_q, d_k), (n_k, d_k), (n_k, d_v) -> (n_q, d_v)."""
    n_q, d_k = Q.shape
    n_k, d_v = V.shape
    first = max(n_q - n_k, 0)  # queries before this one have no key at all
    scores = np.where(causal_mask(n_q, n_k), Q @ K.T / d_k ** 0.5, -np.inf)
    output = np.zeros((n_q, d_v))
    if first < n_q:
        output[first:] = softmax(scores[first:]) @ V
    return output
