from typing import NamedTuple
import numpy as np

class Shapes(NamedTuple):
    seq_len: int
    d_model: int
    num_heads: int = 1

    @property
    def d_k(self) -> int:
        return self.d_model // self.num_heads

    def split(self, x):
        return x.reshape(self.seq_len, self.num_heads, self.d_k).transpose(1, 0, 2)

def multi_head_attention(Q, K, V, num_heads):
    sh = Shapes(*Q.shape, num_heads)
    q, k, v = map(sh.split, (Q, K, V))
    s = q @ k.transpose(0, 2, 1) / np.sqrt(sh.d_k)
    s = np.exp(s - s.max(-1, keepdims=True))
    w = s / s.sum(-1, keepdims=True)
    return (w @ v).transpose(1, 0, 2).reshape(sh[:2])
