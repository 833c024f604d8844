# expect: policy_error
# goal: the state of RandomState by its protocol of pickling
# raw: runtime_error
import numpy as np
r = np.random.RandomState(0)
r.__setstate__(r.__getstate__())
raise KeyError("PAST THE POLICY")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
