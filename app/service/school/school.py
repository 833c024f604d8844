"""All use cases of classes, joined by plain calls."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread

from app.model import Exercise, SubmissionId
from app.records import Json
from app.service.nightly import each_night
from app.service.school.accounts import StaffAccounts
from app.service.school.assignments import AssignmentBook
from app.service.school.board import Boards
from app.service.school.campus import CampusCases
from app.service.school.classes import ClassBook
from app.service.school.extensions import Extensions
from app.service.school.grades import Grades
from app.service.school.merging import Merging
from app.service.school.parts import SchoolParts
from app.service.school.people import People
from app.service.school.privacy import Privacy, Retention
from app.service.school.regrading import Regrading
from app.service.school.rosters import Rosters
from app.service.school.rules import ClassRules
from app.service.school.similarity import Similarity

CLOSE_S = 5.0
"""How long a closing server waits for the try that is being regraded."""


class School:
    """What the web side and the command line call; safe to use from several threads."""

    def __init__(self, parts: SchoolParts) -> None:
        self._stop = Event()
        self._workers: tuple[Thread, ...] = ()
        self._parts = parts
        self.rules = ClassRules(parts)
        self.accounts = StaffAccounts(parts)
        self.classes = ClassBook(parts, self.rules)
        self.people = People(parts, self.rules, self.classes)
        self.rosters = Rosters(parts, self.rules, self.classes)
        self.merging = Merging(parts, self.rules, self.people)
        self.grades = Grades(parts, self.classes)
        self.assignments = AssignmentBook(parts, self.rules, self.classes, self.grades)
        self.extensions = Extensions(parts, self.rules, self.classes, self.people, self.assignments)
        self.boards = Boards(parts, self.grades)
        self.regrading = Regrading(parts, self.classes, self.grades)
        self.similarity = Similarity(parts)
        self.campus = CampusCases(parts, self.rules, self.classes, self.grades)
        self.privacy = Privacy(parts, self.rules, self.classes, self.people)

    def start(self, judge: Callable[[Exercise, bytes, SubmissionId], Json] | None) -> None:
        """Remember the exercises' versions, regrade what waits, and delete by night.

        Without a `judge` another process regrades.
        """
        self.regrading.note_versions()
        nights = (self._night, self._parts.now, self._stop)
        self._workers = (Thread(target=each_night, args=nights, name="night", daemon=True),)
        if judge is not None:
            given = (judge, self._stop)
            work = Thread(target=self.regrading.work, args=given, name="regrade", daemon=True)
            self._workers += (work,)
        for worker in self._workers:
            worker.start()
        self.campus.start()

    def _night(self) -> Retention | None:
        """None where another of several processes does it."""
        if not self._parts.store.does_chores():
            return None
        return self.privacy.retention(self._parts.anonymous_days)

    def close(self) -> None:
        """Let the regrade under way end; what waits is taken up at the next start."""
        self._stop.set()
        self.regrading.wake()
        for worker in self._workers:
            worker.join(CLOSE_S)
        self.campus.close(CLOSE_S)
