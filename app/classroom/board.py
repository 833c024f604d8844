"""Where a class stands now: who needs help, and what they get wrong.

Learners by assignments, worst first. A learner is stuck after four tries without passing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median
from typing import Literal, TypeAlias

from app.classroom.gradebook import ClassWork, in_roster_order
from app.classroom.grades import ACCEPTED, NEVER_COUNTS
from app.classroom.policy import terms
from app.model.classes import Assignment, Enrolment, Try

STUCK = 4
"""Tries without a pass after which somebody needs help."""

Standing: TypeAlias = Literal["new", "trying", "passed"]


@dataclass(frozen=True)
class BoardCell:
    """A learner in an assignment; `mask` and `total` are those of their last judged try."""

    standing: Standing = "new"
    tries: int = 0
    mask: int = 0
    passed: int = 0
    total: int = 0
    mistakes: tuple[str, ...] = ()
    ever: frozenset[str] = frozenset()
    unnamed: bool = False
    last: Try | None = None
    excused: bool = False

    @property
    def stuck(self) -> bool:
        """Four tries or more, and not there yet."""
        return self.standing == "trying" and self.tries >= STUCK


@dataclass(frozen=True)
class BoardRow:
    """One learner of the board, a cell an assignment."""

    enrolment: Enrolment
    cells: tuple[BoardCell, ...]

    @property
    def stuck(self) -> int:
        """In how many assignments they are stuck."""
        return sum(cell.stuck for cell in self.cells)


@dataclass(frozen=True)
class Mistake:
    """A misconception by how many learners show it now, and how many ever did."""

    misconception: str
    now: int
    ever: int


@dataclass(frozen=True)
class Column:
    """An assignment in numbers; `cases` is how many of those who tried have each test right."""

    assignment: Assignment
    passed: int
    trying: int
    new: int
    median_tries: float
    mistakes: tuple[Mistake, ...]
    unnamed: int
    cases: tuple[int, ...]
    tried: int


@dataclass(frozen=True)
class Board:
    """All of it; `stuck` counts learners."""

    columns: tuple[Column, ...]
    rows: tuple[BoardRow, ...]

    @property
    def stuck(self) -> int:
        """Learners who are stuck somewhere."""
        return sum(row.stuck > 0 for row in self.rows)


def board(work: ClassWork, *, section: str | None = None) -> Board:
    """The class as it stands; preview seats and removed learners are not on it."""
    columns = tuple(sorted(work.assignments, key=lambda given: (given.position, given.id)))
    rows = [
        BoardRow(enrolment, tuple(standing(work, given, enrolment) for given in columns))
        for enrolment in in_roster_order(work.enrolments)
        if enrolment.state == "active" and (section is None or enrolment.section == section)
    ]
    told = tuple(_column(given, [row.cells[n] for row in rows]) for n, given in enumerate(columns))
    return Board(told, tuple(sorted(rows, key=_need)))


def _need(row: BoardRow) -> tuple[int, int]:
    """Most stuck first, then who tries without success; roster order breaks ties."""
    return -row.stuck, -sum(cell.tries for cell in row.cells if cell.standing == "trying")


def standing(work: ClassWork, assignment: Assignment, enrolment: Enrolment) -> BoardCell:
    """Where one learner is in one assignment, by what they sent since it opened."""
    extension = work.extensions.get((assignment.id, enrolment.id))
    excused = extension is not None and extension.excused
    if enrolment.learner is None:
        return BoardCell(excused=excused)
    sent = work.tries.get((enrolment.learner, assignment.exercise), ())
    opens = terms(assignment.policy, extension).opens_at
    counted = [t for t in sent if t.at >= opens and t.verdict not in NEVER_COUNTS]
    return _cell(sorted(counted, key=lambda t: (t.at, t.id)), excused=excused)


def _cell(tries: Sequence[Try], *, excused: bool) -> BoardCell:
    judged = [tried for tried in tries if tried.verdict is not None]
    if not tries:
        return BoardCell(excused=excused)
    passed = any(tried.verdict == ACCEPTED for tried in judged)
    last = judged[-1] if judged else None
    best = next((t for t in judged if t.verdict == ACCEPTED), last)
    return BoardCell(
        "passed" if passed else "trying",
        len(tries),
        best.mask if best else 0,
        best.passed if best else 0,
        best.total if best else 0,
        mistakes=() if passed or last is None else last.mistakes,
        ever=frozenset(name for tried in judged for name in tried.mistakes),
        unnamed=not passed
        and last is not None
        and last.verdict == "wrong_answer"
        and not last.mistakes,
        last=tries[-1],
        excused=excused,
    )


def _column(assignment: Assignment, cells: Sequence[BoardCell]) -> Column:
    counts = Counter(cell.standing for cell in cells)
    tried = [cell for cell in cells if cell.tries]
    judged = [cell for cell in tried if cell.total]
    most = max((cell.total for cell in judged), default=0)
    return Column(
        assignment,
        passed=counts["passed"],
        trying=counts["trying"],
        new=counts["new"],
        median_tries=float(median([cell.tries for cell in tried])) if tried else 0.0,
        mistakes=_mistakes(cells),
        unnamed=sum(cell.unnamed for cell in cells),
        cases=tuple(sum(cell.mask >> n & 1 for cell in judged) for n in range(most)),
        tried=len(judged),
    )


def _mistakes(cells: Sequence[BoardCell]) -> tuple[Mistake, ...]:
    now = Counter(name for cell in cells for name in set(cell.mistakes))
    ever = Counter(name for cell in cells for name in cell.ever)
    found = [Mistake(name, now[name], count) for name, count in ever.items()]
    return tuple(sorted(found, key=lambda m: (-m.now, -m.ever, m.misconception)))


@dataclass(frozen=True)
class Slot:
    """Tries and hints in a stretch of time."""

    begins: datetime
    tries: int
    hints: int


def over_time(
    tries: Sequence[datetime], hints: Sequence[datetime], until: datetime, slots: int = 24
) -> tuple[Slot, ...]:
    """Tries and hints from the first one on, in equal stretches of whole minutes."""
    first = min([*tries, *hints], default=None)
    if first is None or first >= until:
        return ()
    minutes = max(1, -(-int((until - first).total_seconds()) // (60 * slots)))
    size = timedelta(minutes=minutes)
    begin = first.replace(second=0, microsecond=0)
    found = []
    while begin < until:
        end = begin + size
        counts = (sum(begin <= at < end for at in moments) for moments in (tries, hints))
        found.append(Slot(begin, *counts))
        begin = end
    return tuple(found)
