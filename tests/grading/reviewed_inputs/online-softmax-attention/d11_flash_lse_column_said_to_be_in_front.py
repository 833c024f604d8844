# WRONG: lse has its extra axis at the END. The visible test says it is in front, as if for a batch; the headline says column.
import numpy as np

def _flash(Q, K, V, block_size):
    n, d = Q.shape
    m = np.full((n, 1), -np.inf); l = np.zeros((n, 1)); a = np.zeros((n, V.shape[1]))
    for i in range(0, len(K), block_size):
        s = Q @ K[i:i + block_size].T / np.sqrt(d)
        m2 = np.maximum(m, s.max(1, keepdims=True))
        c = np.exp(m - m2); p = np.exp(s - m2)
        l = c * l + p.sum(1, keepdims=True); a = c * a + p @ V[i:i + block_size]; m = m2
    return a / l, (m + np.log(l))[:, 0]

def flash_attention(Q, K, V, block_size):
    o, l = _flash(Q, K, V, block_size)
    return o, l[:, None]
