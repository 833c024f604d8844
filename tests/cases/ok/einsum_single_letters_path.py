import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    T, C = Q.shape
    r = lambda x: x.reshape(T, num_heads, C // num_heads)
    path, _ = np.einsum_path("thc,shc->hts", r(Q), r(K), optimize="greedy")
    att = np.einsum("thc,shc->hts", r(Q), r(K), optimize=path)
    att *= (C // num_heads) ** -0.5
    att -= att.max(axis=-1, keepdims=True)
    np.exp(att, att)
    att /= np.einsum("hts->ht", att)[:, :, None]
    return np.einsum("hts,shc->thc", att, r(V), optimize=True).reshape(T, C)
