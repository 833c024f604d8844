# expect: policy_error
# goal: an object whose __array_interface__ points anywhere
# raw: wrong_answer
class Lie:
    __array_interface__ = {'shape': (10**9,), 'typestr': '<f8', 'data': (1, False), 'version': 3}
def multi_head_attention(Q, K, V, num_heads):
    return Lie()
