import numpy as np
def softmax(x, t=1., axis=-1, *, keepdims=True):
    assert t > 0
    x = np.asarray(x) / t
    mx = np.nanmax(x, axis=axis, keepdims=keepdims)
    num = np.exp(x - mx)
    den = np.nansum(num, axis=axis, keepdims=keepdims)
    return np.divide(num, den, out=np.zeros_like(num), where=den != 0)
def split_heads(x, nh):
    return np.array([x[:, j::1][:, :x.shape[1] // nh] for j in range(0, x.shape[1], x.shape[1] // nh)])
def combine_heads(x):
    return x.transpose(1, 0, 2).reshape(x.shape[1], -1)
def multi_head_attention(Q, K, V, num_heads):
    q = split_heads(Q, num_heads); k = split_heads(K, num_heads); v = split_heads(V, num_heads)
    attn = softmax(np.matmul(q, k.transpose(0, 2, 1)), t=np.sqrt(q.shape[-1]))
    return combine_heads(np.matmul(attn, v))
