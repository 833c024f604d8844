import numpy as np

def multi_head_attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray, num_heads: int) -> np.ndarray:
    def attend(q, k, v):
        logits = np.dot(q, k.T) / q.shape[-1] ** 0.5
        logits = logits - np.max(logits, axis=-1)[:, None]
        e = np.exp(logits)
        return np.dot(e / e.sum(-1)[:, np.newaxis], v)
    qs = np.array_split(Q, num_heads, axis=1)
    ks = np.array_split(K, num_heads, axis=1)
    vs = np.array_split(V, num_heads, axis=1)
    return np.concatenate(list(map(attend, qs, ks, vs)), axis=1)
