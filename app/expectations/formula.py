"""Follow-up formulas: source text that only the jail evaluates, at points of even numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from app.model import Call, Lane, Order, Ran, Source

POINTS = 8
ALLOWED = "import math\nimport numpy as np\nfrom math import exp, log, sqrt\n"
"""What a formula, and the value of a [[number]], may use."""

Point = tuple[int, ...]


def order(formula: str, variables: Sequence[str], points: Sequence[Point], lane: Lane) -> Order:
    """One call a point of a function of these variables that returns the formula."""
    source = f"{ALLOWED}def formula({', '.join(variables)}):\n    return (\n{formula}\n)\n"
    calls = tuple(Call("formula", point) for point in points)
    return Order((Source("formula", source.encode("utf-8", "surrogatepass")),), calls, lane=lane)


def numbers(ran: Ran) -> tuple[float, ...] | None:
    """The values at all points, or None where one of them is no number a float can hold."""
    if ran.problems or not ran.executions:
        return None
    values = [run.value if run.ended == "returned" else None for run in ran.executions]
    found = [v for v in values if isinstance(v, int | float) and not isinstance(v, bool)]
    try:
        return tuple(map(float, found)) if len(found) == len(values) else None
    except OverflowError:
        return None


def finite(values: tuple[float, ...] | None) -> bool:
    """Whether there is a finite number at every point."""
    return values is not None and all(map(math.isfinite, values))
