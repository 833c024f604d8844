"""Sinusoidal positional encoding, sines and cosines interleaved as in the paper."""
import numpy as np


def positional_encoding(seq_len, d_model):
    """(seq_len, d_model): row pos encodes position pos, starting at 0."""
    position = np.arange(seq_len)[:, None]
    twice_pair = np.arange(0, d_model, 2)  # 2i for every pair
    angle = position / 10000.0 ** (twice_pair / d_model)  # (seq_len, number of pairs)
    table = np.empty((seq_len, d_model))
    table[:, 0::2] = np.sin(angle)
    table[:, 1::2] = np.cos(angle[:, : d_model // 2])  # an odd width has one cosine fewer
    return table
