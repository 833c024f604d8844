# expect: wrong_answer
# goal: free a chain of 200,000 tuples
# raw: wrong_answer
def multi_head_attention(Q, K, V, num_heads):
    x = None
    for _ in range(200_000):
        x = (x,)
    x = None
    return Q * 0
