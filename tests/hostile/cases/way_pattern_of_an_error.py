# expect: runtime_error
# goal: the real class of arrays by a pattern over an AttributeError
# raw: runtime_error
import numpy as np
try:
    np.ndarray.nothing
except AttributeError as error:
    match error:
        case AttributeError(obj=array):
            raise KeyError(f"PAST THE POLICY {array((1,), 'u1', bytearray(1))!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
