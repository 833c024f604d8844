import numpy as np

def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)

def split(x, num_heads):
    n, d = x.shape
    return x.reshape(n, num_heads, d // num_heads).transpose(1, 0, 2)

def merge(x):
    h, n, d_k = x.shape
    return x.transpose(1, 0, 2).reshape(n, h * d_k)

def attend(q, k, v):
    scores = np.einsum("hqd,hkd->hqk", q, k) / np.sqrt(q.shape[-1])
    return softmax(scores) @ v

def multi_head_attention(Q, K, V, num_heads):
    q, k = split(Q, num_heads), split(K, num_heads)
    v = V.reshape(num_heads, len(V), -1)  # <- off
    return merge(attend(q, k, v))
