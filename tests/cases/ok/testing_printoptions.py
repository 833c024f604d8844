import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    N, D = np.shape(Q)
    H = num_heads
    dk = D // H
    q = Q.reshape((N, H, dk)); k = K.reshape((N, H, dk)); v = V.reshape((N, H, dk))
    s = np.einsum('ihd,jhd->hij', q, k) / np.sqrt(dk)
    s = s - np.expand_dims(s.max(-1), -1)
    p = np.exp(s)
    p = p / np.expand_dims(p.sum(-1), -1)
    np.testing.assert_allclose(p.sum(-1), 1.0)
    np.testing.assert_array_equal(p.shape, (H, N, N))
    with np.printoptions(precision=2):
        print(p[0])
    return np.einsum('hij,jhd->ihd', p, v).reshape(N, D)
