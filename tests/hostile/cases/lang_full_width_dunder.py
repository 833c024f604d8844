# expect: policy_error
# goal: underscores that only become underscores
# raw: wrong_answer,policy_error
x = (1).＿＿class＿＿
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
