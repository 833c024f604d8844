# expect: memory_limit
# goal: memory by many small lists
# raw: memory_limit
def multi_head_attention(Q, K, V, num_heads):
    return [[n] for n in range(10**9)]
