"""The result has other axes."""
import numpy as np


def squeezed(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """Axes of length 1 are removed

    The numbers are right, but axes of length 1 are gone from the result. A single querying token
    still gives an array with two axes.

    Hint: 3
    """
    return np.squeeze(multi_head_attention_layer(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads))
