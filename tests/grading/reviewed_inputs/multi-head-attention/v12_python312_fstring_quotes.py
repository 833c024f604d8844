# RIGHT on Python 3.12 and later (PEP 701), where an f-string may reuse its quote. Here 3.11 runs; the sentence does not say so.
import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    print(f"{dict(a=1)["a"]}")
    w = d // num_heads
    q, k, v = (a.reshape(n, num_heads, w).transpose(1, 0, 2) for a in (Q, K, V))
    s = q @ k.transpose(0, 2, 1) / np.sqrt(w)
    e = np.exp(s - s.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(n, d)
