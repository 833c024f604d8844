# RIGHT: object.__setattr__ in __post_init__ is how a frozen dataclass sets a derived field.
# The hint `Assign attributes directly` gives FrozenInstanceError (next file).
import numpy as np
from dataclasses import dataclass, field
@dataclass(frozen=True)
class Config:
    d: int
    h: int
    w: int = field(init=False)
    def __post_init__(self):
        object.__setattr__(self, "w", self.d // self.h)
def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    w = Config(d, num_heads).w
    q, k, v = (a.reshape(n, num_heads, w).transpose(1, 0, 2) for a in (Q, K, V))
    s = q @ k.transpose(0, 2, 1) / np.sqrt(w)
    e = np.exp(s - s.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(n, d)
