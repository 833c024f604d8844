# expect: runtime_error
# goal: a descriptor told another name
# raw: runtime_error
from functools import cached_property
cp = cached_property(lambda self: 1)
cp.__set_name__(int, "__array_interface__")
raise KeyError(f"PAST THE POLICY {cp.attrname}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
