# expect: policy_error
# goal: an object taken apart by the protocol of pickling
# raw: runtime_error
import numpy as np
raise KeyError(f"PAST THE POLICY {np.random.RandomState(0).__reduce__()!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
