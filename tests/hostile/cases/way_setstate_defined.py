# expect: policy_error
# goal: an object that is put together as it likes
# raw: runtime_error
class Own:
    def __setstate__(self, state):
        pass
raise KeyError("PAST THE POLICY")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
