# expect: policy_error
# goal: the same with the fields of a dataclass as __match_args__, which no literal shows
# raw: wrong_answer,runtime_error
from collections.abc import Sized
from dataclasses import dataclass
@dataclass
class G(Sized):
    gi_frame: int
    def __len__(self):
        return 1
@dataclass
class F(Sized):
    f_back: int
    f_globals: int
    def __len__(self):
        return 1
def look(frame):
    F.register(type(frame))
    while frame is not None:
        match frame:
            case F(back, names):
                if "os" in names:
                    raise KeyError(f"PAST THE POLICY: GOT OS FROM A FRAME {names['os']!r}")
                frame = back
            case _:
                return
def running():
    match h[0]:
        case G(frame):
            look(frame)
    yield 1
h = [running()]
G.register(type(h[0]))
next(h[0])
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
