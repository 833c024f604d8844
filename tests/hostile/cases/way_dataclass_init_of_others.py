# expect: runtime_error
# goal: what dataclass writes into an object of the library: the name of a cached property
# raw: runtime_error
from dataclasses import dataclass
from functools import cached_property
@dataclass
class Names:
    attrname: str
class Own:
    cp = cached_property(lambda self: {})
Names.__init__(Own.cp, "__array_interface__")
raise KeyError(f"PAST THE POLICY {Own.cp.attrname}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
