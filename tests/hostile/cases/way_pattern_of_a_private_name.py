# expect: runtime_error
# goal: the bit generator by a class pattern with a keyword
# raw: runtime_error
import numpy as np
match np.random.RandomState(0):
    case object(_bit_generator=bits):
        raise KeyError(f"PAST THE POLICY {bits!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
