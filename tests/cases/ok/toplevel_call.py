import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    seq, dim = Q.shape
    hd = dim // num_heads
    outs = np.zeros((num_heads, seq, hd))
    for i in range(num_heads):
        st, en = i * hd, i * hd + hd
        sc = (Q[:, st:en] @ K[:, st:en].T) / np.sqrt(hd)
        m = sc.max(axis=-1)
        sc = (sc.T - m).T
        e = np.exp(sc)
        outs[i] = (e.T / e.sum(axis=-1)).T @ V[:, st:en]
    return outs.transpose(1, 0, 2).reshape(seq, dim)

np.random.seed(42)
Q = np.random.randn(4, 8)
K = np.random.rand(4, 8)
V = np.random.random((4, 8))
print(multi_head_attention(Q, K, V, 2))
print("Output shape:", multi_head_attention(Q, K, V, 2).shape)
