# expect: runtime_error
# goal: an exception of 100 million characters
# raw: runtime_error
def multi_head_attention(Q, K, V, num_heads):
    raise ValueError('x' * 10**8)
