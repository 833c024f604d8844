# expect: runtime_error
# goal: the bit generator of a subclass of RandomState, whose state is raw memory
# raw: runtime_error
import numpy as np
class R(np.random.RandomState):
    pass
raise KeyError(f"PAST THE POLICY {R(0)._bit_generator!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
