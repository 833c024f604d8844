# expect: policy_error
# goal: the function under a cache
# raw: runtime_error
import functools
@functools.lru_cache
def mine():
    pass
raise KeyError(f"PAST THE POLICY {mine.__wrapped__!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
