import numpy as np

@np.vectorize
def safe_exp(x):
    return np.exp(x)

attend = np.vectorize(
    lambda q, k, v: (lambda e: e / e.sum(-1, keepdims=True))(
        np.exp((s := q @ k.T / np.sqrt(q.shape[1])) - s.max(-1, keepdims=True))) @ v,
    signature="(n,d),(n,d),(n,d)->(n,d)")

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    sp = lambda x: x.reshape(n, num_heads, d // num_heads).swapaxes(0, 1)
    return attend(sp(Q), sp(K), sp(V)).swapaxes(0, 1).reshape(n, d)
