import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    seq_len, d_model = Q.shape
    d_k = d_model // num_heads
    out = np.empty((seq_len, d_model))
    start = 0

    def advance():
        nonlocal start
        start += d_k
        return start

    def next_head():
        nonlocal out
        a = start
        b = advance()
        s = Q[:, a:b] @ K[:, a:b].T
        s = s / d_k ** .5
        w = np.exp(s - s.max(1, keepdims=True))
        w /= w.sum(1, keepdims=True)
        out[:, a:b] = w @ V[:, a:b]

    while start < d_model:
        next_head()
    return out
