# expect: runtime_error
# goal: an address in the dict of an object: __array_interface__ by a subclass of cached_property
# raw: runtime_error
import numpy as np
from functools import cached_property
class CP(cached_property):
    pass
class A:
    pass
a = A()
secret = b"abcdefgh" * 4
cp = CP(lambda self: {"data": (id(secret) + 32, True), "shape": (32,), "typestr": "|u1", "version": 3})
cp.__set_name__(A, "__array_interface__")
cp.__get__(a, A)
raise KeyError(f"PAST THE POLICY {np.array(a)[:2]}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
