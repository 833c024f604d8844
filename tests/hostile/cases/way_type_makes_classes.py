# expect: runtime_error
# goal: a class made by type()
# raw: runtime_error
import numpy as np
Own = type("Own", (), {"__array_interface__": {}})
raise KeyError(f"PAST THE POLICY {Own!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
