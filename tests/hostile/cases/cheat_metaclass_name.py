# expect: policy_error
# goal: a class whose name is a property that never ends
# raw: wrong_answer
class M(type):
    @property
    def __name__(cls):
        while True:
            pass
class C(metaclass=M):
    pass
def multi_head_attention(Q, K, V, num_heads):
    return C()
