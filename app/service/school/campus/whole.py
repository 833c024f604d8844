"""All use cases of campus systems, joined, and the one thread that sends scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from threading import Event, Thread

import structlog

from app.metrics import LTI_SCORES
from app.model.campuses import Course, ScoreState
from app.model.classes import ClassId, Enrolment
from app.service.school.campus.arriving import Arriving
from app.service.school.campus.columns import CampusColumns
from app.service.school.campus.connecting import Connecting
from app.service.school.campus.framed_sessions import FramedSessions
from app.service.school.campus.launching import Launching
from app.service.school.campus.members import CampusMembers
from app.service.school.campus.offering import Offering
from app.service.school.campus.persons import CampusPersons
from app.service.school.campus.placing import Placing
from app.service.school.campus.registering import Registering
from app.service.school.campus.resending import Outbox
from app.service.school.campus.scoring import Scoring
from app.service.school.campus.services import CampusServices
from app.service.school.campus.tickets import Tickets
from app.service.school.classes import ClassBook
from app.service.school.errors import Conflict, NotThere
from app.service.school.grades import Grades
from app.service.school.parts import SchoolParts
from app.service.school.rules import ClassRules

LOOK_S = 5.0
"""How often grades are looked through for scores to send, seconds."""

SWEEP_S = 600.0
"""How often logins that are over are forgotten though no other begins, seconds."""

NIGHTLY = timedelta(hours=24)
NOT_AGAIN = timedelta(hours=1)
STATES: tuple[ScoreState, ...] = ("waiting", "sent", "failed", "held")

log = structlog.get_logger()


@contextmanager
def _alone(event: str, class_id: ClassId) -> Iterator[None]:
    """What fails for a class is logged, and stops no other."""
    try:
        yield
    except Exception:  # the edge of a job
        log.exception(event, class_id=class_id)


class CampusCases:
    """What the web side and the command line call about campuses."""

    def __init__(
        self, parts: SchoolParts, rules: ClassRules, classes: ClassBook, grades: Grades
    ) -> None:
        self._parts = parts
        self._stop = Event()
        self._sender: Thread | None = None
        self._asked: dict[ClassId, datetime] = {}
        self._noted: dict[ClassId, tuple[str, int]] = {}
        self._next_sweep = 0.0
        self.registering = Registering(parts)
        self.launching = Launching(parts, self.registering)
        self.persons = CampusPersons(parts, rules)
        self.arriving = Arriving(parts, self.persons, Placing(parts))
        self.sessions = FramedSessions(parts)
        self.tickets = Tickets(parts, self.sessions)
        self.connecting = Connecting(parts, rules, classes, self.persons)
        self.members = CampusMembers(parts, rules, self.registering, self.persons)
        self.offering = Offering(parts, self.registering)
        columns = CampusColumns(parts, CampusServices(parts, self.registering))
        self.scoring = Scoring(parts, self.registering, columns, grades)
        self.outbox = Outbox(parts, self.registering, columns)

    def course_of(self, class_id: ClassId) -> Course | None:
        """The course that a class is connected to."""
        return self._parts.school.campus.courses.of_class(class_id)

    def not_from_there(self, class_id: ClassId) -> tuple[Enrolment, ...]:
        """Who of a class never came by its course: nothing can be sent for them."""
        course = self.course_of(class_id)
        if course is None:
            return ()
        known = self._parts.school.campus.courses.subjects(course.registration)
        people = self._parts.school.enrolments.of_class(class_id)
        return tuple(
            one for one in people if one.state in ("active", "invited") and one.learner not in known
        )

    def counts(self) -> Mapping[ScoreState, int]:
        """How many scores there are of each state."""
        return self._parts.school.campus.scores.counts()

    def oldest_waiting(self) -> datetime | None:
        """Since when the longest waiting score waits."""
        return self._parts.school.campus.scores.oldest_waiting()

    def round(self) -> None:
        """One look at everything: grades noted, scores sent, lists of people read once a day."""
        self._sweep()
        if not self._parts.school.campus.courses.connected():
            return
        self._note()
        self.scoring.send_due()
        self._sync()
        found = self.counts()
        for state in STATES:
            LTI_SCORES.labels(state).set(found.get(state, 0))

    def _sweep(self) -> None:
        """Forget the logins and tickets that are over, now and then though no other begins."""
        if self._parts.steady() >= self._next_sweep:
            self._next_sweep = self._parts.steady() + SWEEP_S
            self.launching.sweep()
            self.tickets.sweep()

    def _note(self) -> None:
        """Look through the grades of classes where something changed, and of all each minute."""
        minute = int(self._parts.steady() // 60)
        for course in self._parts.school.campus.courses.connected():
            class_id = course.class_id
            if class_id is None or not self._runs(class_id):
                continue
            stamp = (self._parts.school.work.changed_at(class_id), minute)
            if self._noted.get(class_id) != stamp:
                self._noted[class_id] = stamp
                with _alone("campus_note_failed", class_id):
                    self.scoring.note(class_id, course)

    def _runs(self, class_id: ClassId) -> bool:
        """Whether a class is there and not archived."""
        made = self._parts.school.classes.get(class_id)
        return made is not None and made.archived_at is None

    def _sync(self) -> None:
        now = self._parts.now()
        for course in self._parts.school.campus.courses.connected():
            class_id = course.class_id
            if class_id is None or not course.nrps_url or not self._runs(class_id):
                continue
            fresh = course.synced_at is not None and now - course.synced_at < NIGHTLY
            if fresh or now - self._asked.get(class_id, now - NIGHTLY) < NOT_AGAIN:
                continue
            self._asked[class_id] = now
            # Its page says when it was last read.
            with _alone("campus_sync_failed", class_id), suppress(Conflict, NotThere):
                self.members.sync(class_id, "the server")

    def start(self) -> None:
        """Begin to send, in a thread of its own."""
        self._sender = Thread(target=self._work, name="campus", daemon=True)
        self._sender.start()

    def _work(self) -> None:
        while not self._stop.wait(LOOK_S):
            try:
                if self._parts.store.does_chores():
                    self.round()
            except Exception:  # the edge of a job: one bad round stops no other
                log.exception("campus_round_failed")

    def close(self, patience_s: float) -> None:
        """Let the post under way end."""
        self._stop.set()
        if self._sender is not None:
            self._sender.join(patience_s)
