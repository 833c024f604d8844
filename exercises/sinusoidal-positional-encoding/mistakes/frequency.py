"""The layout is right, but the columns turn at other speeds or start elsewhere."""
import numpy as np


def _table(angle, d_model):
    """Sines and cosines interleaved; `angle` has one column a pair."""
    table = np.zeros((len(angle), d_model))
    table[:, 0::2] = np.sin(angle)
    table[:, 1::2] = np.cos(angle[:, : d_model // 2])
    return table


def _position(seq_len):
    return np.arange(seq_len)[:, None]


def own_frequency(seq_len, d_model):
    """Every column has its own frequency

    The sine columns are right, the cosine columns turn too slowly. They use their own column
    number in the exponent. A cosine shares the frequency of the sine on its left.

    Hint: 2
    """
    angle = _position(seq_len) / 10000.0 ** (np.arange(d_model) / d_model)
    table = np.sin(angle)
    table[:, 1::2] = np.cos(angle[:, 1::2])
    return table


def doubled_exponent(seq_len, d_model):
    """Doubles an index that already counts in twos

    Only the first pair is right. An index that runs 0, 2, 4, ... already is 2i; doubling it again
    squares every frequency.

    Hint: 4
    """
    twice_pair = np.arange(0, d_model, 2)
    return _table(_position(seq_len) / 10000.0 ** (2 * twice_pair / d_model), d_model)


def half_exponent(seq_len, d_model):
    """The 2 in the exponent is missing

    Only the first pair is right, the others turn too fast. The exponent counts the pairs one by
    one, so the last pair comes only halfway to the slowest frequency.

    Hint: 4
    """
    pair = np.arange((d_model + 1) // 2)
    return _table(_position(seq_len) / 10000.0 ** (pair / d_model), d_model)


def column_as_pair(seq_len, d_model):
    """Takes the column number for the pair number

    Only the first column is right. The exponent doubles the number of the column, but i numbers
    the pairs: columns 0 and 1 belong to pair 0, columns 2 and 3 to pair 1.

    Hint: 1
    """
    angle = _position(seq_len) / 10000.0 ** (2 * np.arange(d_model) / d_model)
    table = np.sin(angle)
    table[:, 1::2] = np.cos(angle[:, 1::2])
    return table


def starts_at_one(seq_len, d_model):
    """Positions start at 1

    The rows are shifted by one. Row 0 should be the encoding of position 0, that is 0, 1, 0, 1
    and so on.

    Hint: 1
    """
    angle = np.arange(1, seq_len + 1)[:, None] / 10000.0 ** (np.arange(0, d_model, 2) / d_model)
    return _table(angle, d_model)


def base_1000(seq_len, d_model):
    """The base is 1000

    The first pair fits, the others turn too fast. The base of the power is 10000; it is worth
    counting its zeros.

    Hint: 4
    """
    return _table(_position(seq_len) / 1000.0 ** (np.arange(0, d_model, 2) / d_model), d_model)


def inverted_frequency(seq_len, d_model):
    """Multiplies where it should divide

    The later pairs turn faster instead of slower. Positions are multiplied by the power of 10000;
    the last pair should be the slowest hand of the clock.

    Hint: 4
    """
    return _table(_position(seq_len) * 10000.0 ** (np.arange(0, d_model, 2) / d_model), d_model)


def precedence(seq_len, d_model):
    """The power takes less than the whole exponent

    The power stops before the whole exponent is taken in. Python raises to a power before it
    multiplies or divides, so `10000 ** 2 * i / d_model` squares 10000 and then scales. Which
    parentheses does the formula need?

    Hint: 4
    """
    pair = np.arange((d_model + 1) // 2)
    return _table(_position(seq_len) / 10000.0**2 * pair / d_model, d_model)


def whole_number_exponent(seq_len, d_model):
    """The exponent is cut to a whole number

    All pairs turn at the same speed. The division inside the exponent drops its fraction, so every
    exponent is 0.

    Hint: 4
    """
    return _table(_position(seq_len) / 10000.0 ** (np.arange(0, d_model, 2) // d_model), d_model)


def reaches_the_base(seq_len, d_model):
    """Spreads the frequencies up to 1/10000 exactly

    The first pair is right, the others turn a little too slowly. The exponents are spread evenly
    from 0 to 1, as in Tensor2Tensor. In the paper the last exponent stays short of 1.

    Hint: 4
    """
    pairs = (d_model + 1) // 2
    return _table(_position(seq_len) / 10000.0 ** np.linspace(0, 1, pairs), d_model)


def width_rounded_down(seq_len, d_model):
    """Divides by the number of whole pairs

    Even widths are right, odd widths turn at other speeds. The exponent divides the pair number
    by half the width, and that half was rounded down.

    Hint: 4
    """
    pair = np.arange((d_model + 1) // 2)
    return _table(_position(seq_len) / 10000.0 ** (pair / max(d_model // 2, 1)), d_model)


def degrees(seq_len, d_model):
    """Converts the angles from degrees

    All columns turn far too slowly. The angles are treated as degrees and converted to radians,
    but they are radians already.

    Hint: 1
    """
    angle = _position(seq_len) / 10000.0 ** (np.arange(0, d_model, 2) / d_model)
    return _table(np.deg2rad(angle), d_model)
