"""What the trusted side knows of an exercise once its files were run in the jail."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from app.model.runs import Parameter
from app.model.values import Array, Value


@dataclass(frozen=True)
class TestCase:
    """Arguments, passed by position, what they probe, and what the reference solution gives.

    A hidden test may hold several calls: `more` are those after the first, of the same name.
    """

    __test__ = False  # pytest would collect it by its name

    name: str
    purpose: str
    visible: bool
    arguments: tuple[Value, ...]
    expected: Value
    more: tuple[TestCase, ...] = ()

    @property
    def calls(self) -> tuple[TestCase, ...]:
        """Each of its calls as a case: nearly always itself alone."""
        return (self, *self.more)


def calls_of(cases: Iterable[TestCase]) -> tuple[TestCase, ...]:
    """Every call of these cases, in order."""
    return tuple(call for case in cases for call in case.calls)


@dataclass(frozen=True)
class Misconception:
    """A named typical mistake. `same`: the slug that stands for its declared group (or itself).

    `target`: the function of reference.py that it stands in for, often the entry point. `place`:
    where in the order of computation it first shows. `company`: what is said of it beside others.
    `alone`: its file does not load beside the other mistakes, so it is never named beside one.
    """

    slug: str
    title: str
    message: str
    hint: int | None
    same: str
    area: str
    target: str = ""
    place: int = 0
    company: str = ""
    alone: bool = False


@dataclass(frozen=True)
class Outcome:
    """What a program gives on one case, as far as misconceptions are told apart by it.

    `kind`: "right", "changed" (right but arguments changed), "array", "dtype", "type", "none",
    "exception", or "other" (never equal to anything). `value` for "array" and "dtype", `text` for
    "type" (its name) and "exception" (type and message, addresses cut).
    """

    kind: Literal["right", "changed", "array", "dtype", "type", "none", "exception", "other"]
    value: Value = field(default=None, compare=False)
    text: str = ""


@dataclass(frozen=True)
class DrawFault:
    """What keeps an exercise from having draws: the file, the function there, and what is wrong.

    `line` counts from 1; None where it is that of the function.
    """

    file: str
    key: str
    message: str
    line: int | None = None


@dataclass(frozen=True)
class Sets:
    """The outcomes of mistakes taken two (or three) at once, sorted by `key`, then by `total`.

    Row i: `key` tells all that must be equal exactly (shapes, kinds, patterns of nan), `total` is a
    weighted sum of all numbers, `room` how far apart the totals of equals may be, `members` are
    numbers of misconceptions. `values[at[i]:at[i + 1]]` are its numbers, except those of outputs
    too large to keep; both are empty where no values are kept. `tests` are the tests compared.
    """

    key: npt.NDArray[np.int64]
    total: npt.NDArray[np.float64]
    room: npt.NDArray[np.float64]
    members: npt.NDArray[np.uint16]
    at: npt.NDArray[np.int64]
    values: npt.NDArray[np.float64]
    tests: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.key)


@dataclass(frozen=True)
class PairsOnCases:
    """What the kept pairs give on the cases that a run is tried on: a row a pair, a column a case.

    Key, total and room as in `Sets`; a pair that raises on a case has room -1 there. `members` are
    numbers of misconceptions.
    """

    key: npt.NDArray[np.int64]
    total: npt.NDArray[np.float64]
    room: npt.NDArray[np.float64]
    members: npt.NDArray[np.uint16]


@dataclass(frozen=True)
class LeftOut:
    """A mistake that takes no part in sets, and why, for its author; the line, if not its own."""

    slug: str
    reason: str
    line: int | None = None


@dataclass(frozen=True)
class Expectations:
    """What the trusted side knows of an exercise once its files were run in the jail.

    `tests` are exactly six, `examples` the visible cases outside them. `outcomes[slug][i]` is what
    misconception `slug` gives on call i of `calls`, `on_examples[slug][i]` on example i.
    `stages[name]` are the reference's named stages on case `name`, in order, each with its
    equivalent forms.
    `parameters` are the entry point's own.
    `draws` are random legal inputs from small to large, as cases that may be shown; () where the
    folder has none, or where they have a fault that only the author is told. `helpers` are the
    reference's functions, which mistakes may stand in for. `pairs` are the outcomes of two mistakes
    at once; `left_out` says which mistakes take no part in them, `passing` which two together pass
    all tests. `shown` are what pairs give on the
    visible tests and the examples, a column each in this order. `triples` are sets of three,
    without values; None for as long as they are not computed. `proved` are suspected triples with
    their outcomes on all tests and confirming draws, for one submission.
    `confirming` are places of a few draws that a wrong answer is run on besides the tests;
    `on_draws` and `pairs_on_draws` say what mistakes and pairs give there.
    """

    digest: str
    parameters: tuple[Parameter, ...]
    tests: tuple[TestCase, ...]
    examples: tuple[TestCase, ...]
    misconceptions: tuple[Misconception, ...]
    outcomes: dict[str, tuple[Outcome, ...]]
    stages: dict[str, tuple[tuple[str, tuple[Array, ...]], ...]]
    draws: tuple[TestCase, ...] = ()
    draw_faults: tuple[DrawFault, ...] = ()
    on_examples: dict[str, tuple[Outcome, ...]] = field(default_factory=dict)
    helpers: tuple[str, ...] = ()
    pairs: Sets | None = None
    left_out: tuple[LeftOut, ...] = ()
    passing: tuple[tuple[int, ...], ...] = ()
    confirming: tuple[int, ...] = ()
    on_draws: dict[str, tuple[Outcome, ...]] = field(default_factory=dict)
    pairs_on_draws: PairsOnCases | None = None
    shown: PairsOnCases | None = None
    triples: Sets | None = None
    proved: Sets | None = None

    @property
    def calls(self) -> tuple[TestCase, ...]:
        """The calls of all tests in order, each as a case: six, or more where one holds several."""
        return calls_of(self.tests)

    @property
    def confirming_draws(self) -> tuple[TestCase, ...]:
        """The few draws that names are confirmed on; () where there are none."""
        return tuple(self.draws[at] for at in self.confirming)
