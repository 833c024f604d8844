# expect: memory_limit
# goal: memory by many small tuples
# raw: memory_limit
x = None
while True:
    x = (x, None)
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
