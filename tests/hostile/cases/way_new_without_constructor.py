# expect: runtime_error
# goal: an object of the library that its constructor never saw
# raw: runtime_error
from functools import cached_property
raise KeyError(f"PAST THE POLICY {object.__new__(cached_property)!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
