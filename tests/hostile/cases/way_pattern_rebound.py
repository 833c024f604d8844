# expect: wrong_answer,runtime_error
# goal: another class behind the name while the pattern runs
# raw: runtime_error
from dataclasses import dataclass
import numpy as np
class C:
    pass
class Own:
    @property
    def first(self):
        global C
        C = object
        return 1
match [Own(), np.ones(2)]:
    case [Own(first=1), C(data=memory)]:
        raise KeyError(f"PAST THE POLICY {memory!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
