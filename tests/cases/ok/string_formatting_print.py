import numpy as np
np.set_printoptions(precision=3, suppress=True)

def multi_head_attention(Q, K, V, num_heads):
    print("Q shape: %s, K shape: %s" % (Q.shape, K.shape))
    print(f"{num_heads=} {Q.mean():.3f} {'heads':>10} {1234567:,}")
    print("{:<8}|{:^8}|{:>8}".format("a", "b", "c"), "{0}-{1}-{0}".format(1, 2), sep="\n", end="\n\n")
    n, d = Q.shape
    dk = d // num_heads
    q = np.array(np.hsplit(Q, num_heads)); k = np.array(np.hsplit(K, num_heads)); v = np.array(np.hsplit(V, num_heads))
    print(q, q.dtype, sep=" -> ")
    s = q @ k.transpose(0, 2, 1) / np.sqrt(dk)
    w = np.exp(s - s.max(2)[..., None])
    w = w / w.sum(2)[..., None]
    print("row sums", w.sum(axis=-1).round(3))
    return np.concatenate(w @ v, axis=1)
