import numpy as np
from dataclasses import dataclass, InitVar, asdict, astuple, replace, fields

@dataclass
class Head:
    q: np.ndarray
    k: np.ndarray
    v: np.ndarray
    index: int = 0

    def __post_init__(self):
        self.scale = 1.0 / np.sqrt(self.q.shape[1])

    def __call__(self) -> np.ndarray:
        s = (self.q @ self.k.T) * self.scale
        s = s - s.max(axis=1, keepdims=True)
        p = np.exp(s)
        p /= p.sum(axis=1, keepdims=True)
        return p @ self.v

@dataclass(order=True)
class Item:
    index: int
    out: np.ndarray = None

def multi_head_attention(Q, K, V, num_heads):
    d_k = Q.shape[1] // num_heads
    out = np.zeros_like(Q, dtype=float)
    for i in reversed(range(num_heads)):
        cols = np.arange(i * d_k, (i + 1) * d_k)
        head = Head(Q[:, cols], K[:, cols], V[:, cols], index=i)
        out[:, cols] = head()
    return out
