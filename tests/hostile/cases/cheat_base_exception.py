# expect: runtime_error
# goal: leave by what nobody catches
# raw: runtime_error
def multi_head_attention(Q, K, V, num_heads):
    raise KeyboardInterrupt('<b>')
