import numpy as np


def apply_rope(x, positions, base=10000.0):
    """
    Args:
        x: (..., n, d), d even
        positions: (n,) integer positions
        base: frequency base

    Returns:
        array with the shape of x
    """
    # Your code here
    pass
