# expect: runtime_error
# goal: a dtype's proxy read by an augmented assignment
# raw: runtime_error
import numpy as np
class Spy:
    def __radd__(self, other):
        raise KeyError(f"PAST THE POLICY {other!r}")
kind = np.dtype([("a", "u1")])
kind.fields += Spy()

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
