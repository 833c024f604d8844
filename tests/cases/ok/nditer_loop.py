import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    dk = d // num_heads
    out = np.zeros((n, d))
    for h, i in np.ndindex(num_heads, n):
        a, b = h*dk, (h+1)*dk
        s = K[:, a:b] @ Q[i, a:b] / np.sqrt(dk)
        e = np.empty_like(s)
        with np.nditer([s, e], op_flags=[["readonly"], ["writeonly"]]) as itr:
            m = s.max()
            for x, y in itr:
                y[...] = np.exp(x - m)
        total = 0.0
        for x in np.nditer(e):
            total += x
        for (j, c), val in np.ndenumerate(V[:, a:b]):
            out[i, a + c] += e[j] / total * val
    return out
