# expect: runtime_error
# goal: what dataclass reads of two objects of the library, compared
# raw: runtime_error
from dataclasses import dataclass
from functools import partial
class Spy(str):
    def __lt__(self, other):
        raise KeyError(f"PAST THE POLICY {other!r}")
@dataclass(order=True)
class Names:
    args: object
Names.__lt__(partial(print, Spy()), partial(print, Spy("a")))

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
