# expect: runtime_error
# goal: attributes in a format inside a format
# raw: runtime_error
def gen():
    yield 1
text = "{0:{1.gi_frame.f_lineno}}".format(1, gen())
raise KeyError("PAST THE POLICY " + text)

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
