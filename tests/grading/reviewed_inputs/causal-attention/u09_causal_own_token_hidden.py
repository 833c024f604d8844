# WRONG: a token cannot see itself (k one too small), with -inf and a plain softmax, the way it is usually written.
# Not named: the recorded mistake `strict` turns rows without keys into zeros.
import numpy as np
def causal_attention(Q, K, V):
    n, m = len(Q), len(K)
    s = Q @ K.T / np.sqrt(Q.shape[-1])
    ok = np.tril(np.ones((n, m), bool), k=m - n)
    s = np.where(np.tril(ok, m - n - 1), s, -np.inf)
    e = np.exp(s - s.max(-1, keepdims=True)); p = e / e.sum(-1, keepdims=True)
    return p @ V
