from collections import namedtuple
import numpy as np

Head = namedtuple("Head", ["q", "k", "v"])
Config = namedtuple("Config", "seq_len d_model num_heads d_k", defaults=(None,))

def make_heads(Q, K, V, cfg):
    for i in range(cfg.num_heads):
        cols = slice(i * cfg.d_k, (i + 1) * cfg.d_k)
        yield Head(q=Q[:, cols], k=K[:, cols], v=V[:, cols])

def attention(head):
    scores = head.q @ head.k.T / np.sqrt(head.q.shape[-1])
    scores = scores - scores.max(axis=-1, keepdims=True)
    w = np.exp(scores)
    w = w / w.sum(axis=-1, keepdims=True)
    return w @ head.v

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    cfg = Config(n, d, num_heads)._replace(d_k=d // num_heads)
    result = np.concatenate([attention(h) for h in make_heads(Q, K, V, cfg)], axis=-1)
    assert result.shape == (cfg.seq_len, cfg.d_model)
    return result
