import numpy as np

class Config: pass

class Params(Config):
    scale = True
    def __init__(self, **kw):
        for key, val in kw.items():
            setattr(self, key, val)

def multi_head_attention(Q, K, V, num_heads):
    p = Params(n=Q.shape[0], d=Q.shape[1], h=num_heads)
    p.dk = p.d // p.h
    assert hasattr(p, "dk") and getattr(p, "missing", 3) == 3
    out = np.zeros((p.n, p.d))
    for h in range(p.h):
        left = h * p.dk; right = left + p.dk
        S = Q[:, left:right].dot(K[:, left:right].T)
        if p.scale: S = S / np.sqrt(p.dk)
        E = np.exp(S - S.max(axis=1)[:, None])
        out[:, left:right] += (E / E.sum(axis=1)[:, None]).dot(V[:, left:right])
    return out
