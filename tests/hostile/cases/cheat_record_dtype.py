# expect: wrong_answer
# goal: an array of records whose field is named with bidi and markup
# raw: wrong_answer
import numpy as np
def multi_head_attention(Q, K, V, num_heads):
    return np.zeros(Q.shape, dtype=[('\u202e<b>', 'f8'), ('b', 'O')])
