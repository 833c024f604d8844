# expect: runtime_error
# goal: a protocol's name among the slots of a class
# raw: runtime_error
class Own:
    __slots__ = ("__array_interface__",)
raise KeyError(f"PAST THE POLICY {Own!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
