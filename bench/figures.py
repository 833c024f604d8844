"""A figure, what it should be at most or at least, and the table they are shown in."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Literal

__all__ = ["Figure", "at_least", "at_most", "median", "percentile", "table", "timed", "to_json"]


@dataclass(frozen=True)
class Figure:
    """One measured number. `aim` None: shown beside the others, aimed at nothing."""

    name: str
    value: float
    unit: str
    aim: float | None = None
    sense: Literal["at most", "at least"] = "at most"
    note: str = ""

    @property
    def good(self) -> bool | None:
        """Whether it is within its aim."""
        if self.aim is None:
            return None
        return self.value <= self.aim if self.sense == "at most" else self.value >= self.aim


def at_most(name: str, value: float, unit: str, aim: float, note: str = "") -> Figure:
    """A figure that should be small."""
    return Figure(name, value, unit, aim, "at most", note)


def at_least(name: str, value: float, unit: str, aim: float, note: str = "") -> Figure:
    """A figure that should be large."""
    return Figure(name, value, unit, aim, "at least", note)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` (0 to 1) of the values do not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def timed(action: Callable[[], object]) -> float:
    """Seconds of wall time that it takes."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def table(figures: Iterable[Figure]) -> str:
    """One line a figure."""
    lines = []
    for figure in figures:
        mark = {True: "✓", False: "✗", None: " "}[figure.good]
        sign = "≤" if figure.sense == "at most" else "≥"
        aim = "" if figure.aim is None else f"{sign} {figure.aim:g} {figure.unit}"
        value = f"{figure.value:.3g}" if figure.value < 1000 else f"{figure.value:.0f}"
        note = f"  {figure.note}" if figure.note else ""
        lines.append(f"{mark} {figure.name:<52} {value:>8} {figure.unit:<7} {aim:<12}{note}")
    return "\n".join(lines)


def to_json(figures: Iterable[Figure]) -> str:
    """All of them as one JSON list."""
    return json.dumps([asdict(figure) | {"good": figure.good} for figure in figures])
