import numpy as np


def positional_encoding(seq_len, d_model):
    pairs = (d_model + 1) // 2
    frequency = np.exp(np.arange(pairs) * (-2 * np.log(10000.0) / d_model))
    angle = np.outer(np.arange(seq_len), frequency)
    both = np.stack([np.sin(angle), np.cos(angle)], axis=2)
    return both.reshape(seq_len, 2 * pairs)[:, :d_model]
