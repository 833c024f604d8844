# expect: runtime_error
# goal: a frame by a class pattern whose names stand in the class
# raw: runtime_error
from collections.abc import Sized
class G(Sized):
    __match_args__ = ("gi_frame",)
    def __len__(self):
        return 0
def gen():
    yield 1
G.register(type(gen()))
match gen():
    case G(frame):
        raise KeyError(f"PAST THE POLICY {frame!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
