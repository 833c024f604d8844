import numpy as np

def apply(f, *xs, **kw):
    return [f(x, **kw) for x in xs]

def attention(*qkv, scale=None):
    q, *rest = qkv
    k, v = rest
    s = np.einsum("...qd,...kd->...qk", q, k) * (scale or q.shape[-1] ** -0.5)
    w = np.exp(s - s.max(-1, keepdims=True))
    return np.einsum("...qk,...kd->...qd", w / w.sum(-1, keepdims=True), v)

def multi_head_attention(*args, **kwargs):
    Q, K, V, num_heads = args
    n, d = Q.shape
    split = lambda x, heads: x.reshape(n, heads, d // heads).transpose(1, 0, 2)
    out = attention(*apply(split, Q, K, V, heads=num_heads), **kwargs)
    return out.transpose(1, 0, 2).reshape(n, d)
