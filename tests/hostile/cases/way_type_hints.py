# expect: policy_error
# goal: text evaluated as an annotation
# raw: runtime_error
from typing import get_type_hints
class Own:
    x: "[].__class__"
raise KeyError(f"PAST THE POLICY {get_type_hints(Own)!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
