# expect: policy_error
# goal: bytes of lone surrogates in a name and a string
# raw: policy_error,runtime_error
xí € = 'í°€'
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
