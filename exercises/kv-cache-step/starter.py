import numpy as np


def decode_step(q, k, v, k_cache, v_cache, num_heads):
    """
    Args:
        q, k, v: new tokens (m, d_model)
        k_cache, v_cache: old tokens (t, d_model), t may be 0
        num_heads: number of heads (divides d_model)

    Returns:
        (output (m, d_model), k_cache (t + m, d_model), v_cache (t + m, d_model))
    """
    # Your code here
    pass
