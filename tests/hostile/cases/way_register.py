# expect: runtime_error
# goal: a generator that passes for an object of one's own
# raw: runtime_error
from collections.abc import Sized
class Own(Sized):
    def __len__(self):
        return 0
def gen():
    yield 1
Own.register(type(gen()))
raise KeyError(f"PAST THE POLICY {isinstance(gen(), Own)}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
