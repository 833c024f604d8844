import numpy as np


def two_rows():
    """Two rows of two."""
    return np.array([[1.0, 0.5], [3.0, 2.5]]), {"weights": np.array([1.0, 3.0])}


def squared():
    """Squared weights."""
    return np.arange(12.0).reshape(3, 4), {"weights": np.array([1.0, 2.0, 3.0])}, "squared"


def one_row():
    """A single row."""
    return np.array([[1.0, -2.0, 3.5]]), {"weights": np.array([2.0])}


def stacked():
    """A leading axis."""
    return np.arange(24.0).reshape(2, 3, 4), {"weights": np.array([0.5, 1.0, 2.0])}


def missing():
    """A row that is not a number, expected in the output as well."""
    return np.array([[1.0, np.nan], [3.0, 4.0]]), {"weights": np.array([1.0, 1.0])}


def whole_numbers():
    """Whole numbers."""
    return np.array([[2, 4, 6], [4, 6, 8]]), {"weights": np.array([1.0, 1.0])}


def all_differ():
    """Example: three rows of five."""
    return np.arange(15.0).reshape(3, 5) ** 2, {"weights": np.array([1.0, 2.0, 4.0])}
