"""Sinusoidal positional encoding, sines and cosines interleaved as in the paper."""
import numpy as np


def positions(seq_len):
    """The number of each row, (seq_len, 1)."""
    return np.arange(seq_len)[:, None]


def exponents(d_model):
    """2i / d_model for every pair i, (number of pairs,)."""
    return np.arange(0, d_model, 2) / d_model


def slowness(exponent):
    """How many positions each pair takes to turn by one radian."""
    return 10000.0**exponent


def angles(position, slow):
    """(seq_len, number of pairs)."""
    return position / slow


def cosines(angle):
    """One cosine a pair."""
    return np.cos(angle)


def interleave(even, odd, d_model):
    """Sines in the even columns, cosines in the odd ones; an odd width has one cosine fewer."""
    table = np.empty((len(even), d_model))
    table[:, 0::2] = even
    table[:, 1::2] = odd[:, : d_model // 2]
    return table


def positional_encoding(seq_len, d_model):
    """(seq_len, d_model): row pos encodes position pos, starting at 0."""
    angle = angles(positions(seq_len), slowness(exponents(d_model)))
    return interleave(np.sin(angle), cosines(angle), d_model)
