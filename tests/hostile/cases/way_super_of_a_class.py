# expect: runtime_error
# goal: what dataclass wrote, as a function that super() binds to nothing
# raw: runtime_error
from dataclasses import dataclass
@dataclass
class Names:
    x: int
class Own(Names):
    pass
def gen():
    yield 1
super(Own, Own).__init__(gen, 5)
raise KeyError(f"PAST THE POLICY {gen.x}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
