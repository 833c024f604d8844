# expect: runtime_error
# goal: raw memory: where the fields of a dtype lie, in the dict behind a mapping proxy
# raw: runtime_error
import numpy as np
class Spy:
    def __eq__(self, other):
        self.seen = other
        return True
kind = np.dtype([("a", "u1"), ("b", "u1")])
spy = Spy()
kind.fields == spy
spy.seen["a"] = (np.dtype("u1"), 1)
if np.array([(1, 2)], kind)["a"][0] == 2:
    raise KeyError("PAST THE POLICY")
raise ValueError("a copy")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
