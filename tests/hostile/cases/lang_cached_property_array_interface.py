# expect: policy_error
# goal: raw memory: a subclass of cached_property may be told another name, and it writes into the instance's dict: __array_interface__
# raw: wrong_answer,runtime_error
import numpy as np
from functools import cached_property
class CP(cached_property):
    pass
class A:
    pass
a = A()
target = np.arange(4.0)
# id() of a bytes object: its payload is 32 bytes on
secret = b"abcdefgh" * 4
cp = CP(lambda self: {"data": (id(secret) + 32, True), "shape": (32,), "typestr": "|u1", "version": 3})
cp.__set_name__(A, "__array_interface__")
cp.__get__(a, A)
read = bytes(np.array(a).tolist())
if read == secret:
    raise KeyError("PAST THE POLICY: READ RAW MEMORY BY ADDRESS")
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
