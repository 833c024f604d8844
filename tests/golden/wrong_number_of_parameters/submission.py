def multi_head_attention(Q, K, V):
    return Q
