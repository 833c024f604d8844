# WRONG: each row has a maximum of its own, but one that never falls below 0 (np.max needs `initial` beside `where`).
# Said is that one maximum is subtracted from all rows.
import numpy as np
def decode_step(q, k, v, k_cache, v_cache, num_heads):
    K = np.concatenate([k_cache, k]); V = np.concatenate([v_cache, v])
    m, t = len(q), len(k_cache)
    sp = lambda x: x.reshape(len(x), num_heads, -1).transpose(1, 0, 2)
    a, b, c = sp(q), sp(K), sp(V)
    s = a @ b.transpose(0, 2, 1) / np.sqrt(a.shape[-1])
    ok = np.broadcast_to(np.arange(t + m) <= t + np.arange(m)[:, None], s.shape)
    top = np.max(s, axis=-1, keepdims=True, where=ok, initial=0)
    e = np.where(ok, np.exp(np.where(ok, s - top, 0)), 0)
    return (e / e.sum(-1, keepdims=True) @ c).transpose(1, 0, 2).reshape(m, -1), K, V
