# expect: runtime_error
# goal: what a frozen dataclass writes past a class's own __setattr__
# raw: runtime_error
from dataclasses import dataclass
@dataclass(frozen=True)
class Names:
    x: int
@dataclass(frozen=True)
class Other:
    x: int
def gen():
    yield 1
gen.x = 1
Names.__init__(gen, 2)
raise KeyError(f"PAST THE POLICY {gen.x}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
