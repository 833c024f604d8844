import numpy as np

def causal_attention(Q, K, V):
    """
    Args:
        Q: Queries (n_q, d_k), the last n_q positions
        K: Keys (n_k, d_k)
        V: Values (n_k, d_v)

    Returns:
        output: (n_q, d_v)
    """
    # Your code here
    pass
