# expect: wrong_answer
# goal: a parameter whose default is huge when shown
# raw: wrong_answer
def multi_head_attention(Q, K, V, num_heads, x='a' * 10**7, y=[[0] * 1000] * 1000):
    return Q * 0
