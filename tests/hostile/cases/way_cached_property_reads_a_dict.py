# expect: runtime_error
# goal: any key of any object's dict: what functools hides under __wrapped__
# raw: runtime_error
import numpy as np
from functools import cached_property
class CP(cached_property):
    pass
cp = CP(lambda self: None)
cp.__set_name__(CP, "__wrapped__")
raise KeyError(f"PAST THE POLICY {cp.__get__(np.sum, CP)!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
