import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    Q, K, V = (np.asarray(x, dtype=np.float32) for x in (Q, K, V))
    n, d = Q.shape
    dk = d // num_heads
    q, k, v = (x.reshape(n, num_heads, dk).transpose(1, 0, 2) for x in (Q, K, V))
    s = q @ k.transpose(0, 2, 1) / np.float32(np.sqrt(dk))
    s = s - s.max(-1, keepdims=True)
    w = np.exp(s)
    w = w / w.sum(-1, keepdims=True, dtype=np.float32)
    out = (w @ v).transpose(1, 0, 2).reshape(n, d)
    assert out.dtype == np.float32
    return out
