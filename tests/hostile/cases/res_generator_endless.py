# expect: time_limit
# goal: the sum of a generator that never ends
# raw: time_limit
def g():
    while True:
        yield 1
sum(g())
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
