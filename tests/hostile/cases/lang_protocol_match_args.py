# expect: wrong_answer,runtime_error,policy_error
# goal: the same through a runtime_checkable Protocol, without register
# raw: wrong_answer,runtime_error,policy_error
from typing import Protocol, runtime_checkable
class Generic(Protocol):
    __match_args__ = ("gi_frame",)
@runtime_checkable
class G(Generic, Protocol):
    def send(self, x): ...
def gen():
    yield 1
match gen():
    case G(frame):
        raise KeyError(f"PAST THE POLICY: GOT A FRAME {frame!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
