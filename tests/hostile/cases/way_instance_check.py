# expect: policy_error
# goal: a class of classes that takes in whatever it is asked about
# raw: runtime_error
class Meta(type):
    def __instancecheck__(cls, instance):
        return True
class Own(metaclass=Meta):
    pass
raise KeyError(f"PAST THE POLICY {isinstance(1, Own)}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
