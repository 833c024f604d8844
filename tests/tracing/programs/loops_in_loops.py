import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    w = d // num_heads
    out = np.zeros((n, num_heads, w))
    for h in range(num_heads):
        for i in range(n):
            row = np.array([Q[i, h * w:(h + 1) * w] @ K[j, h * w:(h + 1) * w] for j in range(n)])
            row = np.exp((row - row.max()) / np.sqrt(w))
            out[i, h] = row / row.sum() @ V[:, h * w:(h + 1) * w]
    return out.reshape(n, d)
