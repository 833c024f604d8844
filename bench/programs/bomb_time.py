# Computes without end, once it is called.
def multi_head_attention(Q, K, V, num_heads):
    while True:
        num_heads += 1
