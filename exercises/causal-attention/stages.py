"""The intermediate arrays of causal attention, in order of computation."""
import numpy as np


def stages(Q, K, V):
    """Name -> array; a list holds layouts and conventions that are equally right."""
    n_q, d_k = Q.shape
    allowed = causal_mask(n_q, len(K))
    products = Q @ K.T
    scores = products / np.sqrt(d_k)
    masked = np.where(allowed, scores, -np.inf)
    top = np.where(allowed.any(axis=-1, keepdims=True), masked.max(axis=-1, keepdims=True), 0.0)
    powers = np.exp(masked - top)
    total = powers.sum(axis=-1, keepdims=True)
    weights = powers / np.where(total > 0, total, 1.0)
    return {
        "allowed": [allowed, ~allowed, np.where(allowed, 0.0, -np.inf), allowed * 1.0],
        "products": [products, products.T],
        "scores": [scores, scores.T],
        "masked": [masked, masked.T],
        "powers": [powers, powers.T],
        "weights": [weights, weights.T],
        "output": causal_attention(Q, K, V),
    }
