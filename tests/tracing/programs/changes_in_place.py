import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    x = np.ones((3, 2))
    y = x
    y[0] = 5.0
    x[1, 1] += 2
    np.fill_diagonal(x, 7.0)
    parts = []
    for row in x:
        parts.append(row * 2)
    done = {"rows": len(parts), "text": "a" * 200}
    mask = x > 5
    np.add(x, 1, out=x)
    return x
