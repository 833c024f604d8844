import numpy as np

def positional_encoding(seq_len, d_model):
    """
    Args:
        seq_len: number of positions
        d_model: width of the encoding

    Returns:
        array (seq_len, d_model)
    """
    # Your code here
    pass
