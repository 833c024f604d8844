import numpy as np
from functools import partial, reduce, lru_cache
import operator

@lru_cache(maxsize=None)
def scale(d_k):
    return 1 / np.sqrt(d_k)

def head(Q, K, V, d_k, h):
    sl = np.s_[:, h * d_k:(h + 1) * d_k]
    s = Q[sl] @ K[sl].T * scale(d_k)
    w = np.exp(s - np.logaddexp.reduce(s, axis=1, keepdims=True))
    return w @ V[sl]

def multi_head_attention(Q, K, V, num_heads):
    d_k = reduce(operator.floordiv, [Q.shape[1], num_heads])
    f = partial(head, Q, K, V, d_k)
    return reduce(lambda a, b: np.append(a, b, axis=1), map(f, range(num_heads)))
