from dataclasses import dataclass, field
import numpy as np

@dataclass(frozen=True)
class Attention:
    num_heads: int
    eps: float = 0.0
    log: list = field(default_factory=list, repr=False, compare=False)

    def split(self, x):
        n, d = x.shape
        assert d % self.num_heads == 0, f"{d} % {self.num_heads}"
        return np.moveaxis(x.reshape(n, self.num_heads, -1), 1, 0)

    def merge(self, x):
        h, n, d_k = x.shape
        return np.moveaxis(x, 0, 1).reshape(n, h * d_k)

    def forward(self, Q, K, V):
        q, k, v = self.split(Q), self.split(K), self.split(V)
        s = q @ np.moveaxis(k, -1, -2) * (q.shape[-1] ** -0.5)
        self.log.append(s.shape)
        s = s - s.max(axis=-1, keepdims=True)
        w = np.exp(s)
        w = w / (w.sum(axis=-1, keepdims=True) + self.eps)
        return self.merge(w @ v)

def multi_head_attention(Q, K, V, num_heads):
    return Attention(num_heads).forward(Q, K, V)
