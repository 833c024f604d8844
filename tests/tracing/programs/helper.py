import numpy as np

def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)

def multi_head_attention(Q, K, V, num_heads):
    seq_len, d_model = Q.shape
    d_k = d_model // num_heads

    def split(x):
        return x.reshape(seq_len, num_heads, d_k).transpose(1, 0, 2)

    q, k, v = split(Q), split(K), split(V)
    heads = softmax(q @ k.transpose(0, 2, 1) / np.sqrt(d_k)) @ v
    return heads.transpose(1, 0, 2).reshape(seq_len, d_model)
