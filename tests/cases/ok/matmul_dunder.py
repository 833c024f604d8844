import numpy as np

class Mat:
    __slots__ = ("a",)
    def __init__(self, a):
        self.a = np.asarray(a, dtype=float)
    def __matmul__(self, other):
        return Mat(self.a @ other.a)
    def __truediv__(self, c):
        return Mat(self.a / c)
    def __getitem__(self, idx):
        return Mat(self.a[idx])
    def __len__(self):
        return len(self.a)
    def __iter__(self):
        return iter(self.a)
    @property
    def T(self):
        return Mat(self.a.T)
    def softmax(self):
        m = self.a.max(axis=1, keepdims=True)
        e = np.exp(self.a - m)
        return Mat(e / e.sum(axis=1, keepdims=True))

def multi_head_attention(Q, K, V, num_heads):
    Q, K, V = Mat(Q), Mat(K), Mat(V)
    dk = Q.a.shape[1] // num_heads
    outs = []
    for h in range(num_heads):
        s = np.s_[:, h*dk:(h+1)*dk]
        outs.append(((Q[s] @ K[s].T) / dk ** 0.5).softmax() @ V[s])
    return np.concatenate([o.a for o in outs], axis=1)
