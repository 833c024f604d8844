# expect: policy_error
# goal: what equals a hidden attribute, compared in a pattern
# raw: runtime_error
class Spy:
    def __eq__(self, other):
        raise KeyError(f"PAST THE POLICY {other!r}")
def gen():
    yield 1
g = gen()
match Spy():
    case g.gi_frame:
        pass

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
