import numpy as np


def flash_attention(Q, K, V, block_size):
    """
    Args:
        Q: (n_q, d_k)
        K: (n_k, d_k)
        V: (n_k, d_v)
        block_size: number of keys per block (the last block may be shorter)

    Returns:
        (output (n_q, d_v), lse (n_q,))
    """
    # Your code here
    pass
