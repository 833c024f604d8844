"""Wrong exponents: pairs that turn at other speeds."""
import numpy as np


def doubled_exponent(d_model):
    """Doubles an index that already counts in twos

    Only the first pair is right. An index that runs 0, 2, 4, ... already is 2i; doubling it again
    squares every frequency.

    Hint: 4
    """
    return 2 * exponents(d_model)


def half_exponent(d_model):
    """The 2 in the exponent is missing

    Only the first pair is right, the others turn too fast. The exponent counts the pairs one by
    one, so the last pair comes only halfway to the slowest frequency.

    Hint: 4
    """
    return exponents(d_model) / 2


def whole_number_exponent(d_model):
    """The exponent is cut to a whole number

    All pairs turn at the same speed. The division inside the exponent drops its fraction, so every
    exponent is 0.

    Hint: 4
    """
    return np.arange(0, d_model, 2) // d_model


def reaches_the_base(d_model):
    """Spreads the frequencies up to 1/10000 exactly

    The first pair is right, the others turn a little too slowly. The exponents are spread evenly
    from 0 to 1, as in Tensor2Tensor. In the paper the last exponent stays short of 1.

    Hint: 4
    """
    return np.linspace(0, 1, (d_model + 1) // 2)


def width_rounded_down(d_model):
    """Divides by the number of whole pairs

    Even widths are right, odd widths turn at other speeds. The exponent divides the pair number
    by half the width, and that half was rounded down.

    Hint: 4
    """
    return np.arange((d_model + 1) // 2) / max(d_model // 2, 1)
