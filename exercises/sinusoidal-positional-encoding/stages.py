"""The intermediate arrays of the positional encoding, in order of computation."""
import numpy as np


def stages(seq_len, d_model):
    """Name -> array; a list holds layouts that are equally right."""
    position = np.arange(seq_len)
    exponent = np.arange(0, d_model, 2) / d_model
    frequency = 10000.0**-exponent
    angle = position[:, None] * frequency
    columns = np.repeat(angle, 2, axis=1)[:, :d_model]
    return {
        "position": [position[:, None], position],
        "exponent": [exponent, exponent[None, :]],
        "frequency": [frequency, frequency[None, :], 1 / frequency, 1 / frequency[None, :]],
        "angle": [angle, angle.T, columns],
        "sines": [np.sin(angle), np.sin(angle).T],
        "cosines": [np.cos(angle), np.cos(angle[:, : d_model // 2]), np.cos(angle).T],
        "table": positional_encoding(seq_len, d_model),
    }
