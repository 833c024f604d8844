"""Causal attention with the triangle aligned to the bottom right corner."""
import numpy as np


def scaled_scores(Q, K):
    """Every query against every key: (n_q, d_k), (n_k, d_k) -> (n_q, n_k)."""
    return Q @ K.T / Q.shape[1] ** 0.5


def causal_mask(n_q, n_k):
    """True where query i may see key j; the queries are the last n_q positions."""
    return np.arange(n_k) <= np.arange(n_q)[:, None] + (n_k - n_q)


def hide_future(scores):
    """Minus infinity where the key comes after the query."""
    return np.where(causal_mask(*scores.shape), scores, -np.inf)


def shift(scores):
    """Take each row's own maximum off; a row without any key stays at minus infinity."""
    top = scores.max(axis=-1, keepdims=True)
    return scores - np.where(np.isneginf(top), 0.0, top)


def softmax(scores):
    """Weights over the last axis; a row without any key gets zeros."""
    powers = np.exp(shift(scores))
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1.0, total)


def weigh(scores):
    """Causal weights: (n_q, n_k) -> (n_q, n_k)."""
    return softmax(hide_future(scores))


def causal_attention(Q, K, V):
    """(n_q, d_k), (n_k, d_k), (n_k, d_v) -> (n_q, d_v)."""
    return weigh(scaled_scores(Q, K)) @ V
