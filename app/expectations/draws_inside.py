"""Loaded in the jail after an exercise's inputs.py, never imported: draws by number."""

import numpy as np


def drawn(number: int) -> object:
    """The arguments of one draw: the same for the same number at all times."""
    return draw(np.random.default_rng([2026, number]))  # type: ignore[name-defined] # noqa: F821
