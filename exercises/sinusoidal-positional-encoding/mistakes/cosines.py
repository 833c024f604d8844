"""Wrong cosines, beside right sines."""
import numpy as np


def own_frequency(angle):
    """Every column has its own frequency

    The sine columns are right, the cosine columns turn too slowly. They use their own column
    number in the exponent. A cosine shares the frequency of the sine on its left.

    Hint: 2
    """
    own = exponents(d_model) + 1 / d_model
    return np.cos(angles(positions(seq_len), slowness(own)))
