import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    dk = d // num_heads
    acc = []
    for h in range(num_heads):
        q, k, v = (x[:, h*dk:(h+1)*dk].astype(np.longdouble) for x in (Q, K, V))
        s = q @ k.T / np.sqrt(np.longdouble(dk))
        e = np.exp(s - s.max(axis=1, keepdims=True))
        acc.append(e / e.sum(axis=1, keepdims=True) @ v)
    return np.concatenate(acc, axis=1).astype(np.float64)
