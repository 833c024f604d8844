# WRONG: -1e9 is added to hidden scores, and the weights are multiplied by the mask so that rows without keys are zeros.
# Nothing is divided again, and no unmasked maximum is taken. Said is `Dividing again is right on paper`.
import numpy as np
def causal_attention(Q, K, V):
    n, m = len(Q), len(K)
    s = Q @ K.T / np.sqrt(Q.shape[-1])
    ok = np.tril(np.ones((n, m), bool), k=m - n)
    s = s + (1 - ok) * -1e9
    e = np.exp(s - s.max(-1, keepdims=True)); p = e / e.sum(-1, keepdims=True)
    return (p * ok) @ V
