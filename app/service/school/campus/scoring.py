"""Scores for campuses: an outbox that follows the grades, and one sender behind it.

    grades ─ note ─▶ outbox (one row a learner and assignment) ─ send ─▶ the campus's column

A burst of tries becomes one post. What fails waits, or has failed in words; no failure keeps
another's score back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import structlog

from app.classroom import campus_scores as words
from app.classroom.campus_scores import Outcome, after_failure, outcome
from app.classroom.gradebook import ClassWork, cell
from app.classroom.grades import Grade, scores_held
from app.model.campuses import Course, Score, ScoreState
from app.model.classes import Assignment, ClassId, Enrolment
from app.ports.campuses import Reply, Unreachable
from app.service.school.campus.columns import CampusColumns, ColumnPlace, NoColumn
from app.service.school.campus.registering import Registering
from app.service.school.campus.services import CampusServices
from app.service.school.grades import Grades
from app.service.school.parts import SchoolParts

OURS = "It could not be sent. The fault is this server’s, and its log has the details."

CLAIMED = timedelta(minutes=2)
"""How long a score is one sender's: longer than sending takes, and tried again if that one died."""

TICK = timedelta(milliseconds=1)

log = structlog.get_logger()


@dataclass(frozen=True)
class Way(ColumnPlace):
    """Where a score goes: the place of its column, the person, their name there."""

    enrolment: Enrolment
    subject: str


class Scoring:
    """The use cases around scores for campuses."""

    def __init__(
        self, parts: SchoolParts, registering: Registering, columns: CampusColumns, grades: Grades
    ) -> None:
        self._parts = parts
        self._registering = registering
        self._services = CampusServices(parts, registering)
        self._columns = columns
        self._grades = grades
        self._outbox = parts.school.campus.scores
        self._courses = parts.school.campus.courses

    # -------------------------------------------------------------- following the grades

    def note(self, class_id: ClassId, course: Course) -> None:
        """Bring the outbox up to date with a class's grades."""
        work = self._grades.work(class_id)
        subjects = self._courses.subjects(course.registration)
        known = {(s.assignment, s.enrolment): s for s in self._outbox.of_class(class_id)}
        for given, who in _cells(work):
            before = known.get((given.id, who.id))
            after = None
            if who.learner in subjects:
                after = self._noted(given, who, cell(work, given, who), before)
            if after is not None and after != before:
                self._outbox.put(after)

    def _noted(
        self, given: Assignment, who: Enrolment, grade: Grade, before: Score | None
    ) -> Score | None:
        """A score as it should be; None where there is none: nothing for who did nothing."""
        if grade.points is None:
            return None
        now = self._parts.now()
        held = grade.held or scores_held(given, now, grade.terms) or who.state != "active"
        tried = None if grade.computed is None else grade.computed.tried.at
        if before is not None and _same(before, grade.points, given, tried):
            if held == (before.state == "held"):
                return before
            return replace(before, state="held" if held else "waiting", tries=0, next_at=now)
        as_of = now if before is None else max(now, before.as_of + TICK)
        return Score(
            given.id,
            who.id,
            grade.points,
            given.policy.points,
            as_of,
            now,
            "" if before is None else before.lineitem,
            tried,
            "held" if held else "waiting",
            sent_as_of=None if before is None else before.sent_as_of,
        )

    # -------------------------------------------------------------- sending

    def send_due(self) -> int:
        """Send what waits and whose time has come; how many were due.

        After a course's campus did not answer, the rest of that course waits for a later round.
        """
        due = self._outbox.due(self._parts.now())
        silent: dict[str, str] = {}
        for score in due:
            until = self._parts.now() + CLAIMED
            if not self._outbox.claim(score, until):
                continue  # another web process sends it
            try:
                after = self._send(score, silent)
            except Exception:  # the edge of a job: one score that can't be sent stops no other
                log.exception("campus_score_failed", assignment=score.assignment)
                after = self._later(score, OURS)
            self._outbox.settle(after, until)  # what was changed meanwhile stays as it is
        return len(due)

    def _send(self, score: Score, silent: dict[str, str]) -> Score:
        """Send a score; what it is then.

        `silent`: what was said of courses that can't be reached in this round.
        """
        way = self._way(score)
        if way is None:
            sentence = "The course it belongs to is no longer connected."
            return replace(score, state="failed", error=sentence)
        if way.course.id in silent:
            return self._postponed(score, silent[way.course.id])
        try:
            lineitem = score.lineitem or self._columns.of(way)
            reply = self._post(way, replace(score, lineitem=lineitem))
        except NoColumn as error:
            return replace(score, state="failed", error=str(error))
        except Unreachable as error:
            silent[way.course.id] = str(error)
            return self._failed(way, score, "later", str(error))
        return self._answered(way, replace(score, lineitem=lineitem), reply)

    def _later(self, score: Score, said: str) -> Score:
        now, tries = self._parts.now(), score.tries + 1
        at = after_failure("later", tries, now).at or now
        return replace(score, tries=tries, next_at=at, error=said)

    def _postponed(self, score: Score, said: str) -> Score:
        """Wait as after a first failure, though it is none: the one that was tried waits longer.

        So it is another's turn, where only that one can't be sent.
        """
        now = self._parts.now()
        at = after_failure("later", 1, now).at or now
        return replace(score, next_at=at, error=said)

    def _way(self, score: Score) -> Way | None:
        given = self._parts.school.assignments.get(score.assignment)
        who = self._parts.school.enrolments.get(score.enrolment)
        if given is None or who is None or who.learner is None or given.removed_at is not None:
            return None
        course = self._courses.of_class(given.class_id)
        if course is None:
            return None
        registration = self._registering.get(course.registration)
        subject = self._courses.subjects(course.registration).get(who.learner)
        if registration.state != "active" or subject is None:
            return None
        return Way(course, registration, given, who, subject)

    def _post(self, way: Way, score: Score) -> Reply:
        canvas = (urlsplit(way.registration.issuer).hostname or "").endswith("instructure.com")
        return self._services.ask(
            way.registration,
            words.SCOPE_SCORE,
            "POST",
            words.scores_address(score.lineitem),
            content=words.body(score, way.subject, canvas=canvas),
            kind=words.SCORE,
        )

    def _answered(self, way: Way, score: Score, reply: Reply) -> Score:
        what = outcome(reply.status)
        if what == "sent":
            return replace(score, state="sent", tries=0, sent_as_of=score.as_of, error="")
        if what == "lost":
            self._columns.lose(way)
            score = replace(score, lineitem="")
        if what == "late":
            later = max(self._parts.now(), score.as_of + TICK)
            score = replace(score, as_of=later)
        return self._failed(way, score, what, reply.words or f"It answers {reply.status}.")

    def _failed(self, way: Way, score: Score, what: Outcome, said: str) -> Score:
        now, tries = self._parts.now(), score.tries + 1
        again = after_failure(what, tries, now)
        if what == "lost" and tries == 1:
            again = replace(again, at=now)  # another column is looked for at once
        error = words.refusal(way.enrolment.name, said) if what == "refused" else said
        state: ScoreState = "failed" if again.at is None else "waiting"
        return replace(score, state=state, tries=tries, next_at=again.at or now, error=error)


def _cells(work: ClassWork) -> Iterator[tuple[Assignment, Enrolment]]:
    for given in work.assignments:
        for who in work.enrolments:
            if who.learner is not None and who.state != "preview":
                yield given, who


def _same(before: Score, points: int, given: Assignment, tried: datetime | None) -> bool:
    same = before.points == points and before.max == given.policy.points
    return same and before.submitted_at == tried
