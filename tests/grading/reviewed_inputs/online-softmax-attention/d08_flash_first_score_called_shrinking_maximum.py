# WRONG: only the first score of a block is looked at for the running maximum, by np.maximum, which never shrinks.
# Said is that the block's maximum replaces the running one even when it is smaller.
import numpy as np

def _flash(Q, K, V, block_size):
    n, d = Q.shape
    m = np.full((n, 1), -np.inf); l = np.zeros((n, 1)); a = np.zeros((n, V.shape[1]))
    for i in range(0, len(K), block_size):
        s = Q @ K[i:i + block_size].T / np.sqrt(d)
        m2 = np.maximum(m, s[:, :1])
        c = np.exp(m - m2); p = np.exp(s - m2)
        l = c * l + p.sum(1, keepdims=True); a = c * a + p @ V[i:i + block_size]; m = m2
    return a / l, (m + np.log(l))[:, 0]

def flash_attention(Q, K, V, block_size):
    return _flash(Q, K, V, block_size)
