# expect: policy_error
# goal: a class that takes in whatever it is asked about
# raw: runtime_error
class Own:
    @classmethod
    def __subclasshook__(cls, other):
        return True
raise KeyError("PAST THE POLICY")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
