# expect: runtime_error
# goal: attributes in a format that is reached by super()
# raw: runtime_error
class Text(str):
    def fill(self, value):
        return super().format(value)
def gen():
    yield 1
raise KeyError("PAST THE POLICY " + Text("{0.gi_frame}").fill(gen()))

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
