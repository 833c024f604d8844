# expect: policy_error
# goal: a registry of functions by class
# raw: runtime_error
from functools import singledispatch, singledispatchmethod
raise KeyError(f"PAST THE POLICY {singledispatch(len).registry!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
