# expect: policy_error
# goal: attributes by their names in operator
# raw: runtime_error
from operator import attrgetter, methodcaller
def gen():
    yield 1
methodcaller("close")(gen())
raise KeyError(f"PAST THE POLICY {attrgetter('gi_frame')(gen())!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
