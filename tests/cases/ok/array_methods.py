import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    dk = int(d / num_heads)
    out = np.zeros(Q.size).reshape(Q.shape)
    for h in range(num_heads):
        q = Q[:, h*dk:(h+1)*dk].copy()
        k = K[:, h*dk:(h+1)*dk].copy(order="F")
        v = V[:, h*dk:(h+1)*dk].astype(np.float64)
        s = q.dot(k.T).__truediv__(1) if False else q.dot(k.T)
        s = s / np.sqrt(dk)
        mx = s.max(axis=1).repeat(n).reshape(n, n)
        e = np.exp((s - mx).clip(-700, 0))
        w = e / e.sum(axis=1).repeat(n).reshape(n, n)
        out[:, h*dk:(h+1)*dk] = w.dot(v)
    flat = out.flat
    first = flat[0]
    assert out.item(0) == first and out.ravel()[0] == first and out.flatten().tolist()[0] == first
    return out.view()
