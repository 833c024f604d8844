# expect: wrong_answer
# goal: a frame by a class that another's register of subclasses was given to
# raw: runtime_error
from collections import namedtuple
from collections.abc import Sized
from typing import Protocol, runtime_checkable
@runtime_checkable
class P(Protocol):
    def send(self, value): ...
def gen():
    yield 1
issubclass(type(gen()), P)
class G(namedtuple("G", "gi_frame"), Sized):
    pass
G._abc_impl = P._abc_impl
match gen():
    case G(frame):
        raise KeyError(f"PAST THE POLICY {frame!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
