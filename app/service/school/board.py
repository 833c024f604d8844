"""The board: what a class does now, asked of the database at most once a second."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from app.classroom.board import Board, Slot, board, over_time
from app.classroom.similar import without_words
from app.model import LearnerId, Slug
from app.model.classes import ClassId, Enrolment, EnrolmentId
from app.service.school.errors import NotThere
from app.service.school.grades import Grades
from app.service.school.parts import SchoolParts
from app.service.school.rules import RememberedAnswers

FRESH_S = 1.0
REST, LONGEST_REST_S = 3, 1.5
"""A board is not worked out again before so many times what it took, and so many seconds."""

SESSIONS = 500
"""Projected boards whose numbers are kept at most."""

FEWEST = 3
"""Learners who must have made a mistake before one program is shown as its example."""


@dataclass(frozen=True)
class StampedBoard:
    """A board and the stamp it had: the same stamp, the same board."""

    stamp: str
    board: Board


@dataclass(frozen=True)
class BoardExample:
    """A program that shows a misconception, without comments and texts, and among how many."""

    source: str
    learners: int


class Boards:
    """The use cases around the board; safe to use from several threads."""

    def __init__(self, parts: SchoolParts, grades: Grades) -> None:
        self._parts = parts
        self._grades = grades
        self._stamps = RememberedAnswers(self._read_stamp, parts.steady, FRESH_S)
        self._seen: dict[tuple[ClassId, str | None], StampedBoard] = {}
        self._rests: dict[ClassId, tuple[str, float]] = {}
        self._numbered: dict[bytes, dict[EnrolmentId, int]] = {}
        self._lock = threading.Lock()

    def stamp(self, class_id: ClassId) -> str:
        """A short text that changes with the board; costs a query a second a class at most.

        Where a board takes long to work out, it keeps its stamp for some times as long.
        """
        last, until = self._rests.get(class_id, ("", 0.0))
        return last if self._parts.steady() < until else self._stamps.get(class_id)

    def _read_stamp(self, class_id: ClassId) -> str:
        changed = self._parts.school.work.changed_at(class_id)
        return hashlib.sha256(changed.encode()).hexdigest()[:16]

    def board(self, class_id: ClassId, section: str | None = None) -> StampedBoard:
        """The class as it stands; worked out again only after something changed."""
        stamp = self.stamp(class_id)
        seen = self._seen.get((class_id, section))
        if seen is not None and seen.stamp == stamp:
            return seen
        since = time.perf_counter()
        found = StampedBoard(stamp, board(self._grades.work(class_id), section=section))
        took = time.perf_counter() - since
        self._rests[class_id] = stamp, self._parts.steady() + min(REST * took, LONGEST_REST_S)
        if len(self._seen) > 200:
            self._seen.clear()
        self._seen[class_id, section] = found
        return found

    def projected(
        self, class_id: ClassId, session: str, section: str | None = None
    ) -> StampedBoard:
        """The same without names: "Learner 7", the same for as long as the session lasts."""
        seen = self.board(class_id, section)
        number = self._numbers(class_id, session)
        rows = tuple(
            replace(row, enrolment=_nameless(row.enrolment, number[row.enrolment.id]))
            for row in seen.board.rows
        )
        return StampedBoard(seen.stamp, replace(seen.board, rows=rows))

    def _numbers(self, class_id: ClassId, session: str) -> Mapping[EnrolmentId, int]:
        """The number of each learner for this session: who comes later is numbered after."""
        people = self._parts.school.enrolments.of_class(class_id)
        key = hashlib.sha256(f"{session}:{class_id}".encode()).digest()
        with self._lock:
            if len(self._numbered) > SESSIONS:
                self._numbered.clear()
            known = self._numbered.setdefault(key, {})
            new = sorted(
                (one.id for one in people if one.id not in known),
                key=lambda one: hashlib.sha256(key + one.encode()).digest(),
            )
            known.update({one: n for n, one in enumerate(new, len(known) + 1)})
            return dict(known)

    def over_time(self, class_id: ClassId, slug: Slug | None = None) -> tuple[Slot, ...]:
        """Tries and hints over time, of one exercise or all."""
        work = self._parts.school.work
        tries = [one.at for one in work.tries(class_id) if slug in (None, one.exercise)]
        hints = [at for _, exercise, at in work.hints(class_id) if slug in (None, exercise)]
        return over_time(tries, hints, self._parts.now())

    def example(self, class_id: ClassId, slug: Slug, misconception: str) -> BoardExample:
        """One program that shows a misconception, without a name.

        Raises NotThere where fewer than three learners ever showed it.
        """
        found = self._parts.school.work.showing(class_id, slug, misconception)
        programs: dict[LearnerId, str] = {}
        for submission in found:
            kept = self._parts.store.submissions.get(submission)
            if kept is not None:
                programs[kept.learner] = kept.source.decode("utf-8", "replace")
        if len(programs) < FEWEST:
            raise NotThere(misconception)
        shortest = min(programs.values(), key=lambda text: (len(text), text))
        return BoardExample(without_words(shortest), len(programs))

    def now(self) -> datetime:
        """The moment the board is looked at."""
        return self._parts.now()


def _nameless(enrolment: Enrolment, number: int) -> Enrolment:
    """A row of which nothing but a number can be known."""
    name = f"Learner {number}"
    return Enrolment(EnrolmentId(f"learner-{number}"), enrolment.class_id, name)
