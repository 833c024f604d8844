# expect: policy_error
# goal: what except* hands out
# raw: runtime_error
try:
    raise ExceptionGroup("x", [ValueError(1)])
except* ValueError as group:
    raise KeyError(f"PAST THE POLICY {group!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
