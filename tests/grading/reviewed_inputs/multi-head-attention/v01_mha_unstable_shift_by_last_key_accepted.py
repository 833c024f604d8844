# WRONG: every row is shifted by the score of its LAST key, not by its maximum, so exp can overflow.
# Proof: Q = [[1000., 0.], [0., 0.]], K = [[1000., 0.], [0., 0.]], any V, one head: row 0 has scores 707106 and 0 -> inf/inf -> nan.
# The statement asks for the row maximum; should be wrong_answer.
import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    w = d // num_heads
    q, k, v = (a.reshape(n, num_heads, w).transpose(1, 0, 2) for a in (Q, K, V))
    s = q @ k.transpose(0, 2, 1) / np.sqrt(w)
    e = np.exp(s - s[..., -1:])
    return (e / e.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(n, d)
