# expect: wrong_answer
# goal: np.matrix
# raw: wrong_answer
def multi_head_attention(Q, K, V, num_heads):
    return np.matrix([[1.0]])
