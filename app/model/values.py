"""What crosses the wall: arrays, numbers, text, and the names of what does not cross."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class OddArray:
    """A NumPy array that does not cross the wall: object, complex, text or structured dtype."""

    dtype: str
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Opaque:
    """Anything else a call gave: only the name of its type crosses the wall ("list", "Tensor")."""

    type_name: str


@dataclass(frozen=True)
class Partial:
    """A value that a stored report holds only in part; `part` is what it holds (JSON format 1)."""

    part: Mapping[str, Any]


Array: TypeAlias = npt.NDArray[np.generic]
"""bool, int or float16/32/64 of any shape."""

Value: TypeAlias = (
    "Array | bool | int | float | str | None | tuple[Value, ...] | dict[str, Value]"
    " | OddArray | Opaque"
)
"""What a call takes or gives. A NumPy scalar counts as the bool, int or float it is."""
