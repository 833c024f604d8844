import numpy as np

class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name
    def __get__(self, obj, objtype=None):
        return getattr(obj, self.name)
    def __set__(self, obj, value):
        if value <= 0:
            raise ValueError("must be positive")
        setattr(obj, self.name, value)

class Model:
    heads = Positive()
    def __init__(self, heads): self.heads = heads
    def __enter__(self): return self
    def __exit__(self, *exc): return None
    def __contains__(self, x): return 0 <= x < self.heads
    def __iter__(self):
        i = 0
        while i in self:
            yield i
            i += 1

def multi_head_attention(Q, K, V, num_heads):
    with Model(num_heads) as m:
        dk = Q.shape[1] // m.heads
        out = [None] * m.heads
        for h in m:
            a = h * dk
            s = Q[:, a:a+dk] @ K[:, a:a+dk].T / np.sqrt(dk)
            s = np.exp(s - s.max(1, keepdims=True))
            out[h] = s / s.sum(1, keepdims=True) @ V[:, a:a+dk]
    return np.concatenate(out, 1)
