# expect: policy_error
# goal: read a private attribute by a class pattern
# raw: wrong_answer
match np:
    case object(__dict__=d):
        pass
    case _:
        pass
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
