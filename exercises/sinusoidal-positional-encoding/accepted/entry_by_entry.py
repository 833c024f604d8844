import math

import numpy as np


def positional_encoding(seq_len, d_model):
    table = np.zeros((seq_len, d_model))
    for column in range(d_model):
        pair, is_cosine = divmod(column, 2)
        wave = math.cos if is_cosine else math.sin
        for pos in range(seq_len):
            table[pos, column] = wave(pos / 10000 ** (2 * pair / d_model))
    return table
