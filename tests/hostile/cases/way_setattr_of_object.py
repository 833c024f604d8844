# expect: runtime_error
# goal: an attribute set past a class's own __setattr__
# raw: runtime_error
def gen():
    yield 1
object.__setattr__(gen, "x", 1)
raise KeyError(f"PAST THE POLICY {gen.x}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
