import numpy as np
import math

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    dk = d // num_heads
    out = np.zeros((n, 0))
    for h in range(num_heads):
        q, k, v = (np.ascontiguousarray(x[:, h*dk:h*dk+dk]) for x in (Q, K, V))
        s = np.fromiter((math.fsum(a * b for a, b in zip(q[i], k[j])) / math.sqrt(dk) for i in range(n) for j in range(n)), dtype=float, count=n*n).reshape(n, n)
        s = np.exp(s - s.max(1, keepdims=True))
        out = np.insert(out, [out.shape[1]], s / s.sum(1, keepdims=True) @ v, axis=1)
    return out
