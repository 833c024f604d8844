import numpy as np

class MHA:
    EPS = 0.0
    count: int = 0

    @staticmethod
    def softmax(x, axis=-1):
        x = x - x.max(axis=axis, keepdims=True)
        e = np.exp(x)
        return e / e.sum(axis=axis, keepdims=True)

    @classmethod
    def create(cls, num_heads, d_model):
        if d_model % num_heads:
            raise ValueError(f"d_model={d_model} not divisible by num_heads={num_heads}")
        obj = cls()
        obj.num_heads = num_heads
        obj._d_k = d_model // num_heads
        cls.count += 1
        return obj

    @property
    def d_k(self):
        return self._d_k

    @d_k.setter
    def d_k(self, value):
        self._d_k = int(value)

    def __repr__(self):
        return f"{type(self).__name__}({self.num_heads}, {self.d_k})"

    def forward(self, Q, K, V):
        n = Q.shape[0]
        q, k, v = [x.reshape(n, self.num_heads, self.d_k).transpose(1, 0, 2) for x in (Q, K, V)]
        w = self.softmax(q @ k.transpose(0, 2, 1) / np.sqrt(self.d_k))
        return (w @ v).transpose(1, 0, 2).reshape(n, -1)

def multi_head_attention(Q, K, V, num_heads):
    layer = MHA.create(num_heads, Q.shape[1])
    print(layer)
    return layer.forward(Q, K, V)
