# expect: runtime_error
# goal: turn an argument into five million numbers
# raw: wrong_answer
def multi_head_attention(Q, K, V, num_heads):
    Q.resize((5_000_000,), refcheck=False)
    return K
