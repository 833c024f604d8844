# expect: memory_limit
# goal: memory by many small strings
# raw: memory_limit
def multi_head_attention(Q, K, V, num_heads):
    x = []
    while True:
        x.append(str(len(x)))
