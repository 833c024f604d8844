# expect: policy_error
# goal: any attribute of any function, copied by wraps
# raw: runtime_error
from functools import wraps
def mine():
    pass
wraps(len, assigned=("__self__",))(mine)
raise KeyError(f"PAST THE POLICY {mine.__self__!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
