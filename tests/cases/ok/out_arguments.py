import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    dk = d // num_heads
    out = np.empty((n, num_heads, dk))
    s = np.empty((n, n))
    for h in range(num_heads):
        q, k, v = Q[:, h*dk:(h+1)*dk], K[:, h*dk:(h+1)*dk], V[:, h*dk:(h+1)*dk]
        np.matmul(q, k.T, out=s)
        np.divide(s, np.sqrt(dk), out=s)
        np.subtract(s, s.max(axis=1, keepdims=True), out=s)
        np.exp(s, out=s)
        np.divide(s, s.sum(axis=1, keepdims=True), out=s)
        np.dot(s, v, out=(tmp := np.empty((n, dk))))
        out[:, h] = tmp
    return out.reshape(n, d)
