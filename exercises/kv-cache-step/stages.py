"""The arrays a solution passes through, in order."""
import numpy as np


def stages(q, k, v, k_cache, v_cache, num_heads):
    m, t = len(q), len(k_cache)
    K, V = np.concatenate([k_cache, k]), np.concatenate([v_cache, v])
    visible = np.arange(t + m) <= t + np.arange(m)[:, None]
    q_heads, k_heads, v_heads = (split_heads(a, num_heads) for a in (q, K, V))
    root = np.sqrt(q_heads.shape[-1])
    raw = q_heads @ k_heads.transpose(0, 2, 1)
    scores = raw / root
    hidden = np.where(visible, scores, -np.inf)
    e = np.exp(hidden - hidden.max(axis=-1, keepdims=True))
    weights = softmax(hidden)
    heads = weights @ v_heads
    return {
        "all keys": K,
        "all values": V,
        "visible": [visible, ~visible, np.where(visible, 0.0, -np.inf)],
        "query heads": [q_heads, q_heads.transpose(1, 0, 2), q_heads / root],
        "key heads": [k_heads, k_heads.transpose(1, 0, 2), k_heads.transpose(0, 2, 1)],
        "value heads": [v_heads, v_heads.transpose(1, 0, 2)],
        "raw scores": raw,
        "scaled scores": scores,
        "masked scores": hidden,
        "shifted exponentials": e,
        "weights": weights,
        "output of each head": [heads, heads.transpose(1, 0, 2)],
        "output": merge_heads(heads),
    }
