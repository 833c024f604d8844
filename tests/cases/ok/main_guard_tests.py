"""My solution."""
from __future__ import annotations
import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    f = lambda x: x.reshape(n, num_heads, -1).transpose(1, 0, 2)
    q, k, v = f(Q), f(K), f(V)
    a = q @ k.mT / np.sqrt(q.shape[2])
    a = np.exp(a - a.max(2, keepdims=True))
    a /= a.sum(2, keepdims=True)
    return (a @ v).transpose(1, 0, 2).reshape(n, d)

def test():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(4, 8))
    out = multi_head_attention(x, x, x, 2)
    assert out.shape == (4, 8)
    print("ok", out[0, :2])

if __name__ == '__main__':
    test()
else:
    test()
