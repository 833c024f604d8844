"""The board: what a class does now, asked of the database at most once a second."""

from __future__ import annotations

import hashlib
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from app.classroom.board import Board, Slot, board, over_time
from app.classroom.similar import without_words
from app.model import LearnerId, Slug
from app.model.classes import ClassId, Enrolment, EnrolmentId
from app.service.school.errors import NotThere
from app.service.school.grades import Grades
from app.service.school.parts import SchoolParts
from app.service.school.stamps import BoardStamps

REST, LONGEST_REST_S = 3, 1.5
"""A board is not worked out again before so many times what it took, and so many seconds."""

BOARDS = 200
"""Boards that are remembered at most."""

SESSIONS = 500
"""Projected boards whose numbers are kept at most."""

FEWEST = 3
"""Learners who must have made a mistake before one program is shown as its example."""


@dataclass(frozen=True)
class StampedBoard:
    """A board and the stamp it had: the same stamp, the same board.

    `tries` and `hints` are the moments of the whole class's, by exercise; `people` are those who
    are in the class now, `sections` theirs.
    """

    stamp: str
    board: Board
    tries: Mapping[Slug, Sequence[datetime]]
    hints: Mapping[Slug, Sequence[datetime]]
    people: int
    sections: tuple[str, ...]
    session: str = ""
    """Whose numbers stand in place of names, as a digest; "" where names are shown."""


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
        self._stamps = BoardStamps(self._read_stamp, parts.steady)
        self._seen: dict[tuple[ClassId, str | None], StampedBoard] = {}
        self._working: dict[tuple[ClassId, str | None], threading.Lock] = {}
        self._numbered: dict[bytes, dict[EnrolmentId, int]] = {}
        self._lock = threading.Lock()

    def stamp(self, class_id: ClassId) -> str:
        """A short text that changes with the board; costs a query a second a class at most.

        Where a board takes long to work out, it keeps its stamp for some times as long.
        """
        return self._stamps.get(class_id)

    def same_s(self, class_id: ClassId) -> float:
        """For how many seconds the stamp stays the same, whatever happens."""
        return self._stamps.fresh_s(class_id)

    def _read_stamp(self, class_id: ClassId) -> str:
        changed = self._parts.school.work.changed_at(class_id)
        return hashlib.sha256(changed.encode()).hexdigest()[:16]

    def board(self, class_id: ClassId, section: str | None = None) -> StampedBoard:
        """The class as it stands; worked out again only after something changed.

        Who comes while it is worked out waits for it.
        """
        key = class_id, section
        with self._alone(key):
            stamp = self.stamp(class_id)
            seen = self._seen.get(key)
            if seen is not None and seen.stamp == stamp:
                return seen
            since = time.thread_time()
            found = self._work_out(stamp, class_id, section)
            took = time.thread_time() - since
            self._stamps.keep(class_id, stamp, min(REST * took, LONGEST_REST_S))
            self._seen[key] = found
            return found

    def _alone(self, key: tuple[ClassId, str | None]) -> threading.Lock:
        """The lock of a board; with the locks too many boards are forgotten."""
        with self._lock:
            if len(self._working) > BOARDS and key not in self._working:
                self._working.clear()
                self._seen.clear()
            return self._working.setdefault(key, threading.Lock())

    def _work_out(self, stamp: str, class_id: ClassId, section: str | None) -> StampedBoard:
        work = self._grades.work(class_id, mistakes=True)
        tries: dict[Slug, list[datetime]] = defaultdict(list)
        for (_, exercise), theirs in work.tries.items():
            tries[exercise].extend(one.at for one in theirs)
        hints: dict[Slug, list[datetime]] = defaultdict(list)
        for _, exercise, at in self._parts.school.work.hints(class_id):
            hints[exercise].append(at)
        people = [one for one in work.enrolments if one.state == "active"]
        sections = {one.section for one in work.enrolments if one.section}
        seen = board(work, section=section)
        return StampedBoard(stamp, seen, tries, hints, len(people), tuple(sorted(sections)))

    def projected(
        self, class_id: ClassId, session: str, section: str | None = None
    ) -> StampedBoard:
        """The same without names: "Learner 7", the same for as long as the session lasts."""
        seen = self.board(class_id, section)
        number = self._numbers(class_id, session, [row.enrolment.id for row in seen.board.rows])
        rows = tuple(
            replace(row, enrolment=_nameless(row.enrolment, number[row.enrolment.id]))
            for row in seen.board.rows
        )
        whose = hashlib.sha256(session.encode()).hexdigest()
        return replace(seen, board=replace(seen.board, rows=rows), session=whose)

    def _numbers(
        self, class_id: ClassId, session: str, rows: Iterable[EnrolmentId]
    ) -> Mapping[EnrolmentId, int]:
        """The number of each learner for this session: who comes later is numbered after.

        A row may be of somebody who was merged into another a moment ago.
        """
        people = {one.id for one in self._parts.school.enrolments.of_class(class_id)}
        key = hashlib.sha256(f"{session}:{class_id}".encode()).digest()
        with self._lock:
            if len(self._numbered) > SESSIONS:
                self._numbered.clear()
            known = self._numbered.setdefault(key, {})
            new = sorted(
                people.union(rows) - known.keys(),
                key=lambda one: hashlib.sha256(key + one.encode()).digest(),
            )
            known.update({one: n for n, one in enumerate(new, len(known) + 1)})
            return dict(known)

    def over_time(self, seen: StampedBoard, slug: Slug) -> tuple[Slot, ...]:
        """Tries and hints of one exercise over time."""
        return over_time(seen.tries.get(slug, ()), seen.hints.get(slug, ()), self._parts.now())

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
