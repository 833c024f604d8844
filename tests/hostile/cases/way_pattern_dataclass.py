# expect: runtime_error
# goal: a frame by a class pattern whose names a dataclass lists
# raw: runtime_error
from collections.abc import Sized
from dataclasses import dataclass
@dataclass
class G(Sized):
    gi_frame: int
    def __len__(self):
        return 1
def gen():
    yield 1
G.register(type(gen()))
match gen():
    case G(frame):
        raise KeyError(f"PAST THE POLICY {frame!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
