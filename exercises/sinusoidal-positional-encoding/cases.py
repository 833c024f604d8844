"""The six test cases of sinusoidal-positional-encoding, and one more example."""


def two_pairs():
    """The statement's first example: three positions, four columns."""
    return 3, 4


def odd_width():
    """The statement's second example: the last pair has no cosine."""
    return 2, 5


def one_position():
    """Position 0 alone: one row that alternates 0 and 1."""
    return 1, 9


def many_pairs():
    """Eight pairs: the frequencies in the middle of the table. Also square tables, and a wide one."""
    return [(10, 16), (8, 8), (7, 7), (3, 21)]


def long_sequence():
    """A long sequence of four pairs: far out, an angle needs more digits than float32 has."""
    return 5001, 8


def one_column():
    """The narrowest width: a single sine column."""
    return 6, 1


def five_positions_seven_columns():
    """Example: five positions and seven columns, so shapes can be told apart."""
    return 5, 7
