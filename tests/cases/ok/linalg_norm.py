import numpy as np
from numpy import linalg as LA
from numpy.linalg import norm, multi_dot

def multi_head_attention(Q, K, V, num_heads):
    dk = Q.shape[1] // num_heads
    out = np.zeros(Q.shape)
    for h in range(num_heads):
        c = slice(h*dk, (h+1)*dk)
        s = LA.multi_dot([Q[:, c], np.eye(dk), K[:, c].T]) / np.sqrt(dk) if dk > 0 else None
        e = np.exp(s - s.max(1, keepdims=True))
        w = e / LA.norm(e, ord=1, axis=1, keepdims=True)
        out[:, c] = w @ V[:, c]
    return out
