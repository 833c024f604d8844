# expect: runtime_error
# goal: raw memory by the attributes of an array
# raw: runtime_error
import numpy as np
x = np.ones(2)
found = []
for name in ("ctypes", "data", "setfield", "getfield", "setflags", "tofile", "dumps"):
    try:
        found.append(getattr(x, name))
    except Exception as error:
        if type(error).__name__ != "NotAvailable":
            raise
if found:
    raise KeyError(f"PAST THE POLICY {found!r}")
raise ValueError("all refused")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
