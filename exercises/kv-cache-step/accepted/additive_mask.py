import numpy as np


def decode_step(q, k, v, k_cache, v_cache, num_heads):
    m, d_model = q.shape
    K = np.append(k_cache, k, axis=0)
    V = np.append(v_cache, v, axis=0)
    n = K.shape[0]
    d_k = d_model // num_heads
    mask = np.triu(np.full((m, n), -np.inf), k=n - m + 1)

    qh = (q / np.sqrt(d_k)).reshape(m, num_heads, d_k)
    scores = np.einsum("ihd,jhd->hij", qh, K.reshape(n, num_heads, d_k)) + mask
    weights = np.exp(scores - np.amax(scores, axis=2)[:, :, None])
    out = np.einsum("hij,jhd->ihd", weights, V.reshape(n, num_heads, d_k))
    out = out / weights.sum(axis=2).T[:, :, None]
    return out.reshape(m, d_model), K, V
