import operator as op
from operator import itemgetter, matmul, truediv
import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = itemgetter(0, 1)(Q.shape)
    d_k = op.floordiv(d, num_heads)
    res = []
    for h in range(num_heads):
        get = itemgetter((slice(None), slice(h * d_k, op.add(h * d_k, d_k))))
        q, k, v = get(Q), get(K), get(V)
        s = truediv(matmul(q, k.T), np.sqrt(d_k))
        s = op.sub(s, s.max(axis=1, keepdims=True))
        e = np.exp(s)
        res.append(matmul(truediv(e, e.sum(axis=1, keepdims=True)), v))
    return np.hstack(res)
