# expect: runtime_error
# goal: raw memory by a class pattern with a keyword
# raw: runtime_error
import numpy as np
match np.ones(2):
    case object(data=memory):
        raise KeyError(f"PAST THE POLICY {memory!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
