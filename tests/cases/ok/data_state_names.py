import numpy as np

class Tensor:
    def __init__(self, data, name="", state=None):
        self.data = np.array(data, dtype=float)
        self.grad = None
        self.state = state or {}
        self.name = name
        self._prev = set()
    def __add__(self, other): return Tensor(self.data + other.data)
    def __matmul__(self, other): return Tensor(np.matmul(self.data, other.data))
    def __mul__(self, c): return Tensor(self.data * c)
    __rmul__ = __mul__
    def transpose(self, *axes): return Tensor(self.data.transpose(*axes))
    def view(self, *shape): return Tensor(self.data.reshape(*shape))
    def softmax(self, dim):
        x = self.data - self.data.max(axis=dim, keepdims=True)
        self.data = np.exp(x)
        self.data /= self.data.sum(axis=dim, keepdims=True)
        return self
    def numpy(self): return self.data
    def size(self, i): return self.data.shape[i]
    def __str__(self): return "Tensor(" + str(self.data.shape) + ")"

def multi_head_attention(Q, K, V, num_heads):
    q, k, v = Tensor(Q, "q"), Tensor(K, "k"), Tensor(V, "v")
    n, d = q.size(0), q.size(1)
    q, k, v = [t.view(n, num_heads, d // num_heads).transpose(1, 0, 2) for t in (q, k, v)]
    attn = ((q @ k.transpose(0, 2, 1)) * (1 / np.sqrt(d // num_heads))).softmax(dim=-1)
    return (attn @ v).transpose(1, 0, 2).view(n, d).numpy()
