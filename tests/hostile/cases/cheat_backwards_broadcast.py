# expect: wrong_answer
# goal: a view of 10**9 rows, run backwards
# raw: wrong_answer
import numpy as np
def multi_head_attention(Q, K, V, num_heads):
    return np.broadcast_to(Q[::-1, ::-1], (10**9,) + Q.shape)[::-1]
