# expect: wrong_answer
# goal: signalling NaN with payloads
# raw: wrong_answer
import numpy as np
def multi_head_attention(Q, K, V, num_heads):
    return np.full(Q.shape, 0x7ff0dead0000beef, dtype=np.uint64).view(np.float64)
