import numpy as np

class Head:
    """One attention head."""
    def __init__(self, q, k, v):
        self.q, self.k, self.v = q, k, v

    def scores(self):
        return self.q @ self.k.T / np.sqrt(self.q.shape[1])

    def weights(self):
        s = self.scores()
        s -= s.max(axis=1, keepdims=True)
        np.exp(s, out=s)
        s /= s.sum(axis=1, keepdims=True)
        return s

    def output(self):
        return self.weights() @ self.v

class MultiHeadAttention(object):
    def __init__(self, num_heads):
        self.num_heads = num_heads
        self.heads = []

    def split(self, x):
        width = x.shape[1] // self.num_heads
        return [x[:, i * width:(i + 1) * width] for i in range(self.num_heads)]

    def __call__(self, Q, K, V):
        self.heads = [Head(*qkv) for qkv in zip(self.split(Q), self.split(K), self.split(V))]
        return np.hstack([h.output() for h in self.heads])

def multi_head_attention(Q, K, V, num_heads):
    mha = MultiHeadAttention(num_heads)
    return mha(Q, K, V)
