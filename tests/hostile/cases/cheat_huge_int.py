# expect: wrong_answer
# goal: an int of a million digits
# raw: wrong_answer
def multi_head_attention(Q, K, V, num_heads):
    return 7 ** 1_200_000
