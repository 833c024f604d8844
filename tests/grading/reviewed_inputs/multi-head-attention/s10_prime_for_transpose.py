# K with a prime, copied from a formula. Said is a text without a closing quote, and the line is shown with another character than the learner typed.
import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    w = d // num_heads
    q, k, v = (a.reshape(n, num_heads, w).transpose(1, 0, 2) for a in (Q, K, V))
    s = q @ k′ / np.sqrt(w)
    e = np.exp(s - s.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(n, d)
