import numpy as np

def multi_head_attention_layer(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """
    Args:
        x_q: querying tokens (n_q, d_model)
        x_kv: answering tokens (n_kv, d_model)
        W_Q, W_K, W_V, W_O: projections (d_model, d_model), used as x @ W
        num_heads: number of heads (divides d_model)

    Returns:
        output: (n_q, d_model)
    """
    # Your code here
    pass
