import itertools as it
import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    dk = d // num_heads
    starts = list(it.islice(it.count(0, dk), num_heads))
    out = np.zeros((n, d))
    for a, i in it.product(starts, range(n)):
        b = a + dk
        q = Q[i, a:b]
        s = np.array([np.inner(q, K[j, a:b]) for j in range(n)]) / np.sqrt(dk)
        e = np.exp(s - s.max())
        z = list(it.accumulate(e))[-1]
        w = e / z
        out[i, a:b] = sum(it.starmap(lambda wj, vj: wj * vj, zip(w, V[:, a:b])))
    return out
