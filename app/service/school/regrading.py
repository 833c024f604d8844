"""Regrading: after an exercise's files changed, tries are judged anew, into staging.

changed() says so ─▶ start() ─▶ judged one by one, when no learner waits ─▶ apply() or drop()
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

import structlog

from app.classroom.gradebook import GradeChange, regrade_changes
from app.model import Exercise, Slug, SubmissionId
from app.model.classes import (
    Assignment,
    ClassId,
    Enrolment,
    EnrolmentId,
    Regrade,
    Regraded,
    RegradeRule,
)
from app.records import Json
from app.service.school import room
from app.service.school.classes import ClassBook
from app.service.school.errors import ENDED, Conflict, DoneBefore, NotThere
from app.service.school.grades import Grades
from app.service.school.parts import By, SchoolParts
from app.service.school.words import note

log = structlog.get_logger()

STATEMENT_ONLY = frozenset({"statement.md", "hints.md"})
"""Files no verdict hangs on."""


@dataclass(frozen=True)
class ChangedExercise:
    """An exercise that changed after some of a class's tries were judged.

    `files` are the ones that differ, () where the earlier version is not known; `only_words` says
    that no verdict can hang on them.
    """

    assignment: Assignment
    tries: int
    files: tuple[str, ...]
    seen_at: datetime | None
    only_words: bool


@dataclass(frozen=True)
class RegradedTry:
    """One try of a regrade, and whose it is."""

    enrolment: Enrolment
    result: Regraded


class Regrading:
    """The use cases around regrades."""

    def __init__(self, parts: SchoolParts, classes: ClassBook, grades: Grades) -> None:
        self._parts = parts
        self._classes = classes
        self._grades = grades
        self._work = threading.Event()

    def note_versions(self) -> None:
        """Remember the files of every exercise as they are now; cheap, and run at each start."""
        for exercise in self._parts.exercises():
            self._note(exercise)

    def _note(self, exercise: Exercise) -> None:
        files = {
            path: hashlib.sha256(content).hexdigest() for path, content in exercise.files.items()
        }
        self._parts.school.regrades.note_version(
            exercise.slug, exercise.digest, files, self._parts.now()
        )

    def changed(self, class_id: ClassId) -> tuple[ChangedExercise, ...]:
        """The class's exercises that changed since some of its tries were judged."""
        found = []
        for assignment in self._parts.school.assignments.of_class(class_id):
            exercise = self._parts.exercise(assignment.exercise)
            if exercise is None:
                continue
            digests = self._parts.school.regrades.digests(assignment.exercise, class_id)
            old = [(digest, tries) for digest, tries in digests if digest != exercise.digest]
            if old:
                self._note(exercise)
                found.append(self._changed(assignment, exercise, old))
        return tuple(found)

    def _changed(
        self, assignment: Assignment, exercise: Exercise, old: list[tuple[str, int]]
    ) -> ChangedExercise:
        regrades = self._parts.school.regrades
        now = regrades.version(exercise.slug, exercise.digest)
        before = [regrades.version(exercise.slug, digest) for digest, _ in old]
        files: set[str] = set()
        for version in before:
            if version is not None and now is not None:
                paths = {*version[0], *now[0]}
                files |= {path for path in paths if version[0].get(path) != now[0].get(path)}
        known = all(version is not None for version in before)
        return ChangedExercise(
            assignment,
            sum(tries for _, tries in old),
            tuple(sorted(files)) if known else (),
            now[1] if now else None,
            only_words=known and files <= STATEMENT_ONLY,
        )

    def start(self, class_id: ClassId, slug: Slug, reason: str, by: By) -> Regrade:
        """Judge the class's older tries anew; none of it counts before it is applied.

        Raises NotThere, Conflict where no try is older, DoneBefore where one is under way.
        """
        self._classes.running(class_id)
        room.check_disk(self._parts)
        exercise = self._parts.exercise(slug)
        if exercise is None:
            raise NotThere(slug)
        regrade = Regrade(
            self._parts.ids.next(),
            slug,
            exercise.digest,
            note(reason),
            self._parts.now(),
            class_id,
            None if isinstance(by, str) else by.id,
        )
        self._note(exercise)
        tries = self._parts.school.regrades.start(regrade)
        if tries is None:
            raise DoneBefore("A regrade of this exercise is under way. Apply or drop it first.")
        if tries == 0:
            raise Conflict("No try of this exercise is from before its last change.")
        self._parts.note(by, "regrade started", regrade.id, f"{slug}, {tries} tries", class_id)
        self._work.set()
        return self.get(class_id, regrade.id)

    def open(self, class_id: ClassId) -> tuple[Regrade, ...]:
        """Regrades that are neither applied nor dropped."""
        return self._parts.school.regrades.of_class(class_id)

    def get(self, class_id: ClassId, regrade: str) -> Regrade:
        """One regrade of a class. Raises NotThere."""
        found = self._parts.school.regrades.get(regrade)
        if found is None or found.class_id != class_id:
            raise NotThere(regrade)
        return found

    def points(self, class_id: ClassId, regrade: str) -> Mapping[EnrolmentId, GradeChange]:
        """Whose points it would change, applied to all. Raises NotThere."""
        found = self.get(class_id, regrade)
        results = self._parts.school.regrades.results(regrade)
        return regrade_changes(self._grades.work(class_id), found.exercise, results)

    def lines(self, class_id: ClassId, regrade: str) -> tuple[RegradedTry, ...]:
        """The tries that change, old and new, by name."""
        self.get(class_id, regrade)
        people = {one.learner: one for one in self._parts.school.enrolments.of_class(class_id)}
        found = [
            RegradedTry(people[one.learner], one)
            for one in self._parts.school.regrades.results(regrade)
            if one.changes and one.learner in people
        ]
        return tuple(
            sorted(found, key=lambda line: (line.enrolment.sort_name, line.result.submission))
        )

    def apply(self, class_id: ClassId, regrade: str, rule: RegradeRule, by: By) -> int:
        """Let the new reports count, all or only better ones; how many. The old ones are kept.

        Raises NotThere, Conflict while it is still being judged, and DoneBefore.
        """
        self._classes.running(class_id)
        found = self.get(class_id, regrade)
        if found.state == "judging":
            raise Conflict("This regrade is not ready. Wait until all tries are judged.")
        replaced = self._parts.school.regrades.finish(regrade, "applied", rule, self._parts.now())
        if replaced is None:
            raise DoneBefore(ENDED)
        detail = f"{found.exercise}, {rule}, {replaced} reports replaced"
        self._parts.note(by, "regrade applied", regrade, detail, class_id)
        return replaced

    def drop(self, class_id: ClassId, regrade: str, by: By) -> None:
        """Forget a regrade; nothing has changed. Raises NotThere and DoneBefore."""
        found, finish = self.get(class_id, regrade), self._parts.school.regrades.finish
        if finish(regrade, "dropped", found.rule, self._parts.now()) is None:
            raise DoneBefore(ENDED)
        self._parts.note(by, "regrade dropped", regrade, found.exercise, class_id)

    # -------------------------------------------------------------- the work behind

    def work(
        self, judge: Callable[[Exercise, bytes, SubmissionId], Json], stop: threading.Event
    ) -> None:
        """Judge what waits, one at a time, until told to stop; `judge` waits for a quiet moment.

        What fails, as where the database is away, is tried again.
        """
        while not stop.is_set():
            try:
                judged = self._parts.store.does_chores() and self.judge_waiting(judge, stop)
            except Exception as error:  # noqa: BLE001 (the edge of a thread: the next round may do)
                log.warning("regrade_failed", reason=repr(error))
                judged = False
            if not judged:
                self._work.wait(timeout=5.0)
                self._work.clear()

    def judge_waiting(
        self, judge: Callable[[Exercise, bytes, SubmissionId], Json], stop: threading.Event
    ) -> bool:
        """Judge all that waits now; whether there was anything."""
        judged = False
        for regrade, submission in self._parts.school.regrades.waiting():
            if stop.is_set():
                return True
            judged = self._judge(judge, regrade, submission) or judged
        return judged

    def _judge(
        self,
        judge: Callable[[Exercise, bytes, SubmissionId], Json],
        regrade: str,
        submission: SubmissionId,
    ) -> bool:
        """Judge one try; false where its exercise is gone, so that it waits for its return."""
        kept = self._parts.store.submissions.get(submission)
        exercise = None if kept is None else self._parts.exercise(kept.exercise)
        if kept is None or exercise is None:
            log.warning("not_regraded", submission=submission)
            return False
        report = judge(exercise, kept.source, submission)
        self._parts.school.regrades.keep(regrade, submission, report, self._parts.now())
        return True

    def wake(self) -> None:
        """Look for work at once: the server closes, or something was started."""
        self._work.set()
