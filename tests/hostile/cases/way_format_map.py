# expect: runtime_error
# goal: attributes in a format over a mapping
# raw: runtime_error
def gen():
    yield 1
raise KeyError("PAST THE POLICY " + "{g.gi_frame}".format_map({"g": gen()}))

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
