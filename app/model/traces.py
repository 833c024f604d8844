"""What a report shows of a run: the shapes line by line, and where labelled cells ended up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True)
class NamedShape:
    """A name and what it held: shape and dtype of an array, else a short `text`.

    `axes` are the names of the array's axes where they are certain.
    """

    name: str
    type_name: str
    shape: tuple[int, ...] | None = None
    dtype: str | None = None
    text: str = ""
    axes: tuple[str, ...] | None = None


@dataclass(frozen=True)
class ShapeLine:
    """One line of a shape trace; `first` and `last` are what its names held on those passes.

    `state` says how it stands against the reference where that is certain, `stage` which of the
    reference's intermediate results it equals.
    """

    line: int
    function: str
    kind: str
    passes: int
    first: tuple[NamedShape, ...]
    last: tuple[NamedShape, ...]
    state: Literal["equal", "differs"] | None = None
    stage: str | None = None


@dataclass(frozen=True)
class EqualBefore:
    """The last line before a divergence that equals one of the reference's stages."""

    line: int
    name: str
    stage: str


@dataclass(frozen=True)
class ShapeDivergence:
    """The first line that differs from the reference: its names, the stage due, one sentence.

    `how` is the part of the sentence that says in what it differs, "" where that is not certain.
    """

    line: int
    name: str
    stage: str | None
    message: str
    before: EqualBefore | None = None
    how: str = ""


@dataclass(frozen=True)
class ShapeTrace:
    """The shape trace of one case, by line; `cut` says what was left out, "" where nothing was.

    `start` is the line to begin to look at where the output is off.
    """

    case: str
    purpose: str
    lines: tuple[ShapeLine, ...]
    cut: str
    ended: Literal["returned", "raised"]
    first_difference: int | None = None
    divergence: ShapeDivergence | None = None
    start: int | None = None


@dataclass(frozen=True)
class LabelledCell:
    """A cell by the argument's cell it holds: token and column, None where it holds none."""

    token: int | None
    column: int | None
    text: str
    moved: bool


CellRows: TypeAlias = tuple[tuple[LabelledCell, ...], ...]


@dataclass(frozen=True)
class EarlierCells:
    """The last array of heads in which every cell still was in its place, a slice a head."""

    line: int
    name: str
    slices: tuple[CellRows, ...]


@dataclass(frozen=True)
class ProbeResult:
    """Where the labelled cells of one case ended up, in words and cell by cell.

    `moved`, `mixed` and `size` count cells; `heads` is how many heads stand side by side, `factor`
    the one number (as text) by which everything is off where `state` is "scaled".
    """

    case: str
    purpose: str
    headline: str
    message: str
    state: Literal["in_place", "scaled", "shape", "moved", "mixed"]
    moved: int
    mixed: int
    size: int
    heads: int | None
    right: CellRows
    yours: CellRows
    factor: str | None = None
    earlier: EarlierCells | None = None

    @property
    def shows_something(self) -> bool:
        """Whether labelled cells of it are seen in other places."""
        if self.state == "shape":
            return self.mixed == 0
        return self.state == "moved" and self.moved >= max(1, self.mixed)
