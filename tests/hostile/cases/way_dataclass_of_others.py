# expect: runtime_error
# goal: a dataclass made of a class of the library
# raw: runtime_error
from dataclasses import dataclass
import numpy as np
raise KeyError(f"PAST THE POLICY {dataclass(np.ndindex)!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
