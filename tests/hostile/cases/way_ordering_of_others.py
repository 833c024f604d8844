# expect: runtime_error
# goal: methods given to a class of the library
# raw: runtime_error
from functools import total_ordering
import collections
raise KeyError(f"PAST THE POLICY {total_ordering(collections.Counter)!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
