import numpy as np


def feed_forward(x, W_up, W_down, W_gate=None):
    """
    Args:
        x: (..., d_model)
        W_up: (d_model, d_ff)
        W_down: (d_ff, d_model)
        W_gate: (d_model, d_ff) or None

    Returns:
        array with the shape of x
    """
    # Your code here
    pass
