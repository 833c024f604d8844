# WRONG: -1e9 is added to hidden scores; rows without keys are set to zeros. Five of six tests are right.
# Said is that the array is never filled with results.
import numpy as np
def causal_attention(Q, K, V):
    n, m = len(Q), len(K)
    s = Q @ K.T / np.sqrt(Q.shape[-1])
    ok = np.tril(np.ones((n, m), bool), k=m - n)
    s = s + (1 - ok) * -1e9
    e = np.exp(s - s.max(-1, keepdims=True)); p = e / e.sum(-1, keepdims=True)
    return np.where(ok.any(1, keepdims=True), p @ V, 0)
