# expect: runtime_error
# goal: the unguarded format by the class of the guarded one
# raw: runtime_error
kind = type("{0}".format)
def gen():
    yield 1
text = kind.__call__("{0.gi_frame}".format, gen())
raise KeyError("PAST THE POLICY " + text)

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
