# expect: runtime_error
# goal: format as a function that super() binds to no text
# raw: runtime_error
class Text(str):
    pass
def gen():
    yield 1
raise KeyError("PAST THE POLICY " + super(Text, Text).format("{0.gi_frame}", gen()))

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
