import numpy as np

class ShapeError(ValueError):
    """Raised when shapes do not fit."""
    def __init__(self, msg, *, got=None):
        super().__init__(msg)
        self.got = got

def check(cond, msg="bad"):
    if not cond:
        raise ShapeError(msg, got=1)

def multi_head_attention(Q, K, V, num_heads):
    check(Q.ndim == 2)
    try:
        check(False, "expected")
    except ShapeError as err:
        assert err.got == 1 and str(err) == "expected" and err.args == ("expected",)
    B = np.broadcast_to(np.float64(1.0), Q.shape)
    n, d = (Q * B).shape
    q, k, v = [np.transpose(np.reshape(m, (n, num_heads, -1)), [1, 0, 2]) for m in [Q, K, V]]
    s = np.matmul(q, np.transpose(k, axes=(0, 2, 1))) / np.sqrt(k.shape[-1])
    a = np.exp(s - np.max(s, -1, keepdims=True)); a = a / np.sum(a, -1, keepdims=True)
    return np.reshape(np.transpose(np.matmul(a, v), axes=[1, 0, 2]), [n, d])
