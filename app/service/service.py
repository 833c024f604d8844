"""The service in one: its use cases by subject, and the life of the server: start, ready, close."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

import structlog

from app.classroom.showing import FREE, Rules
from app.model import Formula, Layer, LearnerId, Slug, Typeset
from app.model.bounds import LEAST_FREE_BYTES
from app.model.classes import Assignment, Class, Enrolment
from app.ports import Load
from app.ports.operating import Operations
from app.service.door import Door
from app.service.drafts import DraftBox
from app.service.errors import AskFirst
from app.service.exercises import Exercises
from app.service.flow import Flow
from app.service.follow_ups import FollowUps
from app.service.hints import Hints
from app.service.learners import Learners
from app.service.links import Links
from app.service.parts import Parts
from app.service.runs import Runs
from app.service.school import School, SchoolParts
from app.service.school.parts import no_campus
from app.service.school.receipts import Mine
from app.service.second_looks import SecondLooks
from app.service.shrinking import Shrinking
from app.service.submission_queue import SubmissionQueue
from app.service.submissions import Submissions
from app.service.threes import Threes
from app.service.timings import Timings
from app.service.tokens import Sequence

log = structlog.get_logger()

DRAIN_S = 5.0
"""How long a closing server lets running jobs end; the next start takes up what did not."""


@dataclass(frozen=True)
class Press:
    """What comes along with a source: the key of the press, and what a refusal gave."""

    key: str | None = None
    attempt: str | None = None


@dataclass(frozen=True)
class Ready:
    """Whether this server may grade, and why not.

    `database`: it answers; `leaving`: the server has been told to stop, and takes no new callers.
    `one_address`: every learner so far came from the same address, as behind an unknown proxy.
    """

    grades: bool
    layers: tuple[Layer, ...]
    complaints: tuple[str, ...]
    exercises: int
    load: Load
    database: bool = True
    leaving: bool = False
    one_address: bool = False


class Service:
    """What the web side and the command line call; safe to use from several threads."""

    def __init__(self, parts: Parts) -> None:
        """Give each use case its ports."""
        self._school = self._build_school(parts)
        if self._school is not None:
            parts = replace(parts, rulebook=self._school.rules)
        store, ids, now = parts.store, Sequence(), parts.now
        flow = Flow(parts.line, parts.chance)
        self._parts = parts
        self._leaving = False
        self._door = door = Door(parts)
        self._shrinking = Shrinking(store)
        self._threes = parts.triples and Threes(parts.expecting, parts.line, parts.triples)
        self.exercises = exercises = Exercises(
            parts.catalog, parts.expecting, parts.names, parts.rulebook
        )
        self.second_looks = looks = SecondLooks(exercises, flow, store.looks, parts.sandbox, now)
        self._queue = SubmissionQueue(parts, exercises, flow, ids, looks)
        self.submissions = Submissions(parts, exercises, door, self._queue, ids)
        self.runs = Runs(exercises, door, flow, parts.jails, ids)
        self.follow_ups = FollowUps(exercises, door, flow, parts.jails, store.ladder, ids, now)
        self.hints = Hints(exercises, door, store.ladder, now)
        self.timings = Timings(exercises, parts.house)
        self.drafts = DraftBox(exercises, door, store.drafts, ids, now)
        self.links = Links(door, store.links, store.submissions, parts.secret, parts.rulebook, now)
        self.learners = Learners(exercises, door, store.learners, store.submissions, ids, now)

    def admit_request(self, learner: LearnerId | None, address: str) -> None:
        """Count a request of any kind; None for a visitor without a cookie. Raises Refused."""
        self._door.admit_request(learner, address)

    def _build_school(self, parts: Parts) -> School | None:
        """The use cases of classes, where the store keeps any."""
        if parts.school is None:
            return None
        return School(
            SchoolParts(
                parts.school,
                parts.store,
                parts.catalog.get,
                lambda: tuple(parts.catalog.all()),
                parts.secret,
                campus=parts.campus or no_campus,
                forget_learners=lambda: self._door.forget_learners(),
                disk_full=lambda: parts.free_bytes(parts.data) < LEAST_FREE_BYTES,
                now=parts.now,
                steady=parts.steady,
                anonymous_days=parts.anonymous_days,
            )
        )

    @property
    def school(self) -> School:
        """The use cases of classes. Raises LookupError where the store keeps none."""
        if self._school is None:
            raise LookupError("this store keeps no classes")
        return self._school

    @property
    def operations(self) -> Operations:
        """What a host sees of runners and parked submissions, and does about them."""
        return self._parts.operations

    def seats(self, learner: LearnerId) -> tuple[tuple[Class, Enrolment], ...]:
        """The running classes that a learner is in, with their seat."""
        return () if self._school is None else self._school.rules.seats(learner)

    def due(self, learner: LearnerId, slug: Slug | None = None) -> tuple[Mine, ...]:
        """What a learner has to do in running classes, or on one exercise, with how it stands."""
        if self._school is None:
            return ()
        given = [
            one
            for one in self._school.rules.given(learner)
            if one.enrolment.state == "active" and slug in (None, one.assignment.exercise)
        ]
        return self._school.grades.on_exercises(given, learner) if given else ()

    def previewed(self, learner: LearnerId, slug: Slug) -> tuple[tuple[Assignment, str], ...]:
        """Assignments on an exercise that staff look at from a preview seat, with their rule."""
        if self._school is None:
            return ()
        seen = [
            one.assignment
            for one in self._school.rules.given(learner)
            if one.enrolment.state == "preview" and one.assignment.exercise == slug
        ]
        return tuple((one, self._school.assignments.sentence(one)) for one in seen)

    def now(self) -> datetime:
        """The moment by the service's clock."""
        return self._parts.now()

    def rules(self, learner: LearnerId, slug: Slug) -> Rules:
        """What holds for a learner on an exercise now."""
        return FREE if self._school is None else self._school.rules.rules(learner, slug)

    def ask_first(self, learner: LearnerId, slug: Slug, source: bytes, press: Press) -> None:
        """Raise AskFirst where this try would be the first late one of an assignment, or its last.

        What was sent before under the same key is no new try.
        """
        if self._school is None or self.submissions.sent_before(learner, slug, source, press.key):
            return
        at = self.submissions.moment(learner, slug, source, press.attempt)
        for one in self.due(learner, slug):
            asked = self._school.grades.question(one, at)
            if asked is not None:
                raise AskFirst(asked)

    def start(self) -> None:
        """Begin to grade: first what an earlier start left without a report.

        Expectations that are not cached are computed in the background meanwhile.
        """
        self._parts.line.start()
        self._queue.judge.start()
        if self._threes is not None:  # before any expectations are asked for, or it misses them
            self._threes.start()
        self._queue.take_up_all()
        every = self.exercises.all()
        self._parts.expecting.warm(every)
        if self._school is not None:
            here = self._parts.judge is None  # else dispatchers regrade, from the queue
            self._school.start(self._queue.judge_again if here else None)
        self._shrinking.start()
        log.info("started", exercises=len(every), complaints=len(self.complaints()))

    def came_back(self, learner: LearnerId, address: str) -> None:
        """A learner's cookie came along with a request: they get a turn of their own."""
        self._door.came_back(learner, address)

    def leave(self) -> None:
        """Say from now on that callers should go elsewhere; requests are still answered."""
        self._leaving = True

    def close(self) -> None:
        """Let what runs end and store its reports; what waits is taken up at the next start."""
        if self._school is not None:
            self._school.close()
        self._shrinking.close()
        self.timings.close()
        if self._threes is not None:
            self._threes.close()
        self._parts.expecting.close()
        self._queue.judge.close(DRAIN_S)
        self._parts.line.close(DRAIN_S)
        self._parts.sandbox.close()
        self._parts.house.close()
        self._parts.store.close()

    def complaints(self) -> tuple[str, ...]:
        """What is wrong with exercise folders, one line each, for the host's and authors' eyes."""
        return self.exercises.complaints()

    def typeset(self, formulas: tuple[Formula, ...]) -> tuple[Typeset, ...]:
        """What becomes of an author's formulas, in order. Raises SandboxFault."""
        return self._parts.house.typeset(formulas)

    def layers(self) -> tuple[Layer, ...]:
        """The layers of the wall on this machine."""
        return self._parts.house.layers()

    def ready(self) -> Ready:
        """Layers, complaints and how busy the line is; `grades` needs every required layer."""
        layers = self.layers()
        return Ready(
            grades=all(layer.present for layer in layers if layer.required),
            layers=layers,
            complaints=self.complaints(),
            exercises=len(self.exercises.all()),
            load=self._queue.judge.load(),
            database=self._parts.store.answers(),
            leaving=self._leaving,
            one_address=self._door.one_address,
        )
