# expect: policy_error
# goal: an object taken apart and put together by the protocols of pickling
# raw: runtime_error
import copy, copyreg, pickle
raise KeyError("PAST THE POLICY")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
