import numpy as np

class Timer:
    def __init__(self, name):
        self.name = name
        self.events = []
    def __enter__(self):
        self.events.append("start")
        return self
    def __exit__(self, exc_type, exc, tb):
        self.events.append("stop")
        return False

def multi_head_attention(Q, K, V, num_heads):
    with Timer("split") as t, np.errstate(over="ignore", under="ignore"):
        n, d = Q.shape
        q, k, v = (np.stack(np.split(x, num_heads, 1)) for x in (Q, K, V))
        logits = np.matmul(q, np.swapaxes(k, 1, 2)) / np.sqrt(d / num_heads)
        logits -= np.max(logits, axis=2, keepdims=True)
        weights = np.exp(logits)
        weights /= np.sum(weights, axis=2, keepdims=True)
        out = np.matmul(weights, v)
    assert t.events == ["start", "stop"]
    return np.hstack(list(out))
