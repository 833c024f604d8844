# expect: wrong_answer,runtime_error,policy_error
# goal: any key of any instance's dict read by a cached property: what functools hides under __wrapped__
# raw: wrong_answer,runtime_error,policy_error
import numpy as np
from functools import cached_property
class CP(cached_property):
    pass
cp = CP(lambda self: None)
cp.__set_name__(CP, "__wrapped__")
f = cp.__get__(np.sum, CP)
if f is not None:
    raise KeyError(f"PAST THE POLICY: READ A HIDDEN ATTRIBUTE {f!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
