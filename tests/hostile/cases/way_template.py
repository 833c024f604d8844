# expect: policy_error
# goal: attributes by the formatter of string
# raw: runtime_error
import string
def gen():
    yield 1
raise KeyError("PAST THE POLICY " + string.Formatter().format("{0.gi_frame}", gen()))

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
