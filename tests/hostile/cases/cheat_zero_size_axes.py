# expect: wrong_answer
# goal: an array of no elements with an enormous axis
# raw: wrong_answer
import numpy as np
def multi_head_attention(Q, K, V, num_heads):
    return np.broadcast_to(np.zeros((0, 1)), (0, 2**40))
