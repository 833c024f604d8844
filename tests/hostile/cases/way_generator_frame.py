# expect: policy_error
# goal: the frame of a generator
# raw: runtime_error
def gen():
    yield 1
raise KeyError(f"PAST THE POLICY {gen().gi_frame.f_globals['__name__']!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
