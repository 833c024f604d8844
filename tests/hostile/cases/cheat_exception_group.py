# expect: runtime_error
# goal: a group of ten thousand exceptions
# raw: runtime_error
def multi_head_attention(Q, K, V, num_heads):
    raise ExceptionGroup('many', [ValueError(str(n)) for n in range(10_000)])
