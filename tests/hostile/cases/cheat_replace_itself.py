# expect: wrong_answer
# goal: replace the function by a number on its first call
# raw: wrong_answer
def multi_head_attention(Q, K, V, num_heads):
    global multi_head_attention
    multi_head_attention = 7
    return Q * 0
