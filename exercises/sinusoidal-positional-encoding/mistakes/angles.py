"""Wrong angles, from right positions and speeds."""
import numpy as np


def degrees(position, slow):
    """Converts the angles from degrees

    All columns turn far too slowly. The angles are treated as degrees and converted to radians,
    but they are radians already.

    Hint: 1
    """
    return np.deg2rad(angles(position, slow))
