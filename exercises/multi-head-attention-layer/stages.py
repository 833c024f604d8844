"""The intermediate arrays of the attention layer, in order of computation."""
import numpy as np


def _layouts(x, num_heads):
    """The projected tokens split into heads, with the axes in either order."""
    heads = split_heads(x, num_heads)
    return [heads, heads.transpose(1, 0, 2), heads.transpose(0, 2, 1)]


def stages(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """Name -> array; a list holds layouts and orders of steps that are equally right."""
    Q, K, V = x_q @ W_Q, x_kv @ W_K, x_kv @ W_V
    q, k, v = (split_heads(x, num_heads) for x in (Q, K, V))
    products = q @ k.swapaxes(1, 2)
    scores = products / q.shape[2] ** 0.5
    weights = softmax(scores)
    heads = weights @ v
    merged = merge_heads(heads)
    return {
        "Q": Q,
        "K": K,
        "V": V,
        "q": _layouts(Q, num_heads),
        "k": _layouts(K, num_heads),
        "v": _layouts(V, num_heads),
        "products": [products, products.swapaxes(1, 2), products.transpose(1, 0, 2)],
        "scores": [scores, scores.swapaxes(1, 2), scores.transpose(1, 0, 2)],
        "weights": [weights, weights.swapaxes(1, 2), weights.transpose(1, 0, 2)],
        "heads": [heads, heads.transpose(1, 0, 2), heads.transpose(0, 2, 1)],
        "merged": merged,
        "output": merged @ W_O,
    }
