# expect: wrong_answer
# goal: a dict that holds itself
# raw: wrong_answer
def multi_head_attention(Q, K, V, num_heads):
    d = {'a': Q}
    d['d'] = d
    return d
