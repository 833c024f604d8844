# expect: policy_error
# goal: replace len, type and isinstance for all that runs in here
# raw: runtime_error
import builtins
builtins.type = builtins.len = builtins.isinstance = lambda *a: True
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
