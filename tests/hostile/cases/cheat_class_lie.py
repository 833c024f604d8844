# expect: policy_error
# goal: an object that says its class is ndarray
# raw: wrong_answer
import numpy as np
class Lie:
    __class__ = property(lambda self: np.ndarray)
    shape = (2, 4)
    dtype = 'float64'
def multi_head_attention(Q, K, V, num_heads):
    return Lie()
