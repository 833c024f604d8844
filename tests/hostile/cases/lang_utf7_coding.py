# expect: wrong_answer
# goal: hide an import behind a coding line
# raw: wrong_answer
# coding: utf-7
# +AAo-import os+AAo-raise KeyError('ESCAPED BY UTF7')
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
