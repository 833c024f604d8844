# expect: ok
# goal: a byte order mark, and CRLF for line ends
# raw: ok
import numpy as np
def heads(X, n):
    return X.reshape(len(X), n, -1).swapaxes(0, 1)
def right(Q, K, V, num_heads):
    q, k, v = heads(Q, num_heads), heads(K, num_heads), heads(V, num_heads)
    s = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    w = np.exp(s - s.max(-1, keepdims=True))
    w = w / w.sum(-1, keepdims=True)
    return (w @ v).swapaxes(0, 1).reshape(Q.shape)
multi_head_attention = right
