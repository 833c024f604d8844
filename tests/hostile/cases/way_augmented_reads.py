# expect: runtime_error
# goal: an attribute read by an augmented assignment
# raw: runtime_error
import numpy as np
class Spy:
    def __radd__(self, other):
        raise KeyError(f"PAST THE POLICY {other!r}")
r = np.random.RandomState(0)
r._bit_generator += Spy()

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
