import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    (n, d) = Q.shape
    dk = d // num_heads

    def heads(x):
        return (
            x
            .reshape(n, num_heads, dk)
            .transpose(1, 0, 2)
            .copy()
        )

    scores = (
        heads(Q)
        @ heads(K).transpose(0, 2, 1)
        / np.sqrt(dk)
    )
    weights = np.exp(
        scores
        - scores.max(
            axis=-1,
            keepdims=True,
        )
    )
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return (
        (weights @ heads(V))
        .transpose(1, 0, 2)
        .reshape(n, d)
    )
