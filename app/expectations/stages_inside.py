"""Loaded in the jail after an exercise's stages.py, never imported: lists do not cross the wall."""

from typing import Any


def stages_as_tuples(*arguments: Any) -> Any:
    """Name -> tuple of equivalent arrays, in order; what is no dict comes back as it is."""
    found = stages(*arguments)  # type: ignore[name-defined] # noqa: F821
    if not isinstance(found, dict):
        return found
    return {
        name: tuple(value) if isinstance(value, (list, tuple)) else (value,)
        for name, value in found.items()
    }
