"""An exercise as its files say, before any Python of it has been run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from app.model.legal import Legal
from app.model.orders import Limits, Source
from app.model.verdicts import Slug


@dataclass(frozen=True)
class Tolerance:
    """Values a and b are equal when |a - b| <= atol + rtol * |b|, b the expected one."""

    rtol: float = 1e-5
    atol: float = 1e-6


@dataclass(frozen=True)
class Heads:
    """Where a head ends, for pictures and masks: `count` is the argument that says how many."""

    axis: str
    count: str


@dataclass(frozen=True)
class Probe:
    """Examples whose right output is a known arrangement of the values of the arguments `labels`.

    Every value of those arguments is another number, so that each cell of an output can be told
    where it came from: a row of an argument (a token) and a column.
    """

    cases: tuple[str, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class ExampleText:
    """What the statement says of a visible case; `show` is "values" or "shapes"."""

    case: str
    text: str
    show: Literal["values", "shapes"] = "values"


@dataclass(frozen=True)
class FollowUp:
    """A question after passing: a formula is checked in the jail, a text is for own words."""

    kind: Literal["formula", "text"]
    question: str
    answer: str
    variables: tuple[str, ...] = ()
    explanation: str = ""


@dataclass(frozen=True)
class NumberClaim:
    """A number printed in the statement and the expression, run in the jail, that must give it."""

    text: str
    value: str


@dataclass(frozen=True)
class EquivalentMutant:
    """A mutant of the reference that no test can kill, and why."""

    line: int
    change: str
    why: str


@dataclass(frozen=True)
class SourceNote:
    """Where a convention of the exercise comes from."""

    text: str
    url: str = ""


@dataclass(frozen=True)
class Hint:
    """One step of an exercise's ladder, in Markdown."""

    number: int
    title: str
    body: str


AxisNames: TypeAlias = "tuple[str, ...]"
Axes: TypeAlias = "dict[str, AxisNames | tuple[AxisNames, ...] | dict[str, AxisNames]]"
"""Axis names by argument; a tuple output has one tuple each part, a dict argument one a key."""


@dataclass(frozen=True)
class Exercise:
    """An exercise folder as its files say; no Python of it has been run to make this.

    `files` holds every file by its path in the folder, `digest` is the SHA-256 over them.
    """

    slug: Slug
    title: str
    section: str
    order: int
    difficulty: Literal["easy", "medium", "hard"]
    summary: str
    entry_point: str
    visible: tuple[str, ...]
    trace: str
    statement: str
    hints: tuple[Hint, ...]
    files: dict[str, bytes]
    digest: str
    folder: str
    after: tuple[Slug, ...] = ()
    arguments_unchanged: bool = True
    axes: Axes = field(default_factory=dict)
    sizes: dict[str, str] = field(default_factory=dict)
    stage_axes: dict[str, AxisNames] = field(default_factory=dict)
    heads: Heads | None = None
    probe: Probe | None = None
    tolerance: Tolerance = Tolerance()
    limits: Limits = Limits()
    examples: tuple[ExampleText, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()
    sources: tuple[SourceNote, ...] = ()
    numbers: tuple[NumberClaim, ...] = ()
    equivalent_mutants: tuple[EquivalentMutant, ...] = ()
    legal: Legal | None = None

    def source(self, path: str) -> Source:
        """A Python file of the folder as the jail loads it; KeyError where there is none."""
        return Source(path, self.files[path])

    def python_files(self, folder: str) -> tuple[str, ...]:
        """Paths of the `.py` files in a sub-folder ("accepted", "mistakes"), sorted."""
        prefix = folder + "/"
        return tuple(sorted(p for p in self.files if p.startswith(prefix) and p.endswith(".py")))
