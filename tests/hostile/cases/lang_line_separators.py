# expect: wrong_answer
# goal: line separators that end no line
# raw: wrong_answer
#  import os raise KeyError('ESCAPED BY LINES')
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
