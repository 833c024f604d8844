import numpy as np

class Registry(dict):
    def add(self, key, value):
        self[key] = value
        return self
    def __missing__(self, key):
        return None

def multi_head_attention(Q, K, V, num_heads):
    reg = Registry()
    reg.add("q", Q).add("k", K).add("v", V)
    splits = {name: np.split(x, num_heads, axis=1) for name, x in reg.items()}
    assert reg["nothing"] is None
    total = []
    for i, (q, k, v) in enumerate(zip(splits["q"], splits["k"], splits["v"])):
        s = q @ k.T / np.sqrt(q.shape[1])
        w = np.exp(s - s.max(1, keepdims=True))
        w /= w.sum(1, keepdims=True)
        total.append((i, w @ v))
    total.sort(key=lambda t: t[0], reverse=False)
    _, outs = zip(*total)
    return np.concatenate(outs, 1)
