# expect: runtime_error
# goal: a frame by a class pattern whose names a named tuple lists
# raw: runtime_error
from collections import namedtuple
from collections.abc import Sized
class G(namedtuple("G", "gi_frame gi_code"), Sized):
    pass
def gen():
    yield 1
G.register(type(gen()))
match gen():
    case G(frame):
        raise KeyError(f"PAST THE POLICY {frame!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
