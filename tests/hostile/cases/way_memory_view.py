# expect: policy_error
# goal: raw memory by a view of it
# raw: runtime_error
import numpy as np
raise KeyError(f"PAST THE POLICY {memoryview(np.ones(2))!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
