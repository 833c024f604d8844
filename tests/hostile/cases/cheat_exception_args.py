# expect: runtime_error
# goal: an exception whose arguments raise when they are shown
# raw: runtime_error
class A:
    def __repr__(self):
        raise RuntimeError('no')
def multi_head_attention(Q, K, V, num_heads):
    raise ValueError(A(), A())
