import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape; w = d // num_heads
    if (half := w // 2) > 0: first, *rest = range(num_heads)
    total: int = 0
    while total < 3: total += 1
    q = (
        Q.reshape(
            n, num_heads, w
        )
        .transpose(1, 0, 2)
    )
    return q
