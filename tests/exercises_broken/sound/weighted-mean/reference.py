"""The weighted mean of tokens."""
import numpy as np


def shares(w):
    """Weights as parts of one, (seq_len,)."""
    return w / w.sum()


def weighted_mean(x, w):
    """(seq_len, d_model), (seq_len,) -> (d_model,)."""
    return shares(w) @ x
