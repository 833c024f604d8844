"""What the classes of a learner allow on an exercise: asked by every use case around exercises.

Remembered for two seconds, so that a page view costs no query and a change shows at once enough.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar
from zoneinfo import ZoneInfo

from app.classroom.dates import GRACE
from app.classroom.policy import Terms, terms
from app.classroom.showing import FREE, Rules, rules_for
from app.model import LearnerId, Slug
from app.model.classes import Assignment, Class, Enrolment, Extension, TryLimit
from app.service.school.parts import SchoolParts

KNOWN_S = 2.0
MOST = 5_000

Key = TypeVar("Key")
Value = TypeVar("Value")


class RememberedAnswers(Generic[Key, Value]):
    """Answers of a question, each for some seconds; safe to use from several threads."""

    def __init__(
        self, ask: Callable[[Key], Value], steady: Callable[[], float], seconds: float = KNOWN_S
    ) -> None:
        self._ask = ask
        self._seconds = seconds
        self._steady = steady
        self._known: dict[Key, tuple[Value, float]] = {}
        self._forgotten = 0
        self._lock = threading.Lock()

    def get(self, key: Key) -> Value:
        """The answer, asked anew where it is older than that."""
        now = self._steady()
        with self._lock:
            known = self._known.get(key)
            before = self._forgotten
        if known is not None and now < known[1]:
            return known[0]
        found = self._ask(key)
        with self._lock:
            if before == self._forgotten:
                if len(self._known) >= MOST:
                    self._known.clear()
                self._known[key] = found, now + self._seconds
        return found

    def forget(self) -> None:
        """Ask everything anew: something was changed."""
        with self._lock:
            self._known.clear()
            self._forgotten += 1


@dataclass(frozen=True)
class Given:
    """An assignment a learner has, with their seat and the terms that hold for them.

    `where` is the zone of its dates.
    """

    assignment: Assignment
    enrolment: Enrolment
    terms: Terms
    extension: Extension | None
    where: ZoneInfo


class ClassRules:
    """The port `Rulebook` of the exercises' use cases, over the classes that are kept."""

    def __init__(self, parts: SchoolParts) -> None:
        self._parts = parts
        self._given = RememberedAnswers(self._read_given, parts.steady)
        self._reserved = RememberedAnswers(self._read_reserved, parts.steady)
        self._seats = RememberedAnswers(self._read_seats, parts.steady)
        self._mine = RememberedAnswers(self._read_mine, parts.steady)

    def rules(self, learner: LearnerId, slug: Slug) -> Rules:
        """What holds for a learner on an exercise now."""
        mine = [one for one in self.given(learner) if one.assignment.exercise == slug]
        if not mine:
            return Rules(enrolled=True) if self.enrolled(learner) else FREE
        now = self._parts.now()
        return rules_for(((one.assignment, one.terms) for one in mine), now)

    def given(self, learner: LearnerId) -> tuple[Given, ...]:
        """All assignments a learner has in running classes, soonest due first."""
        return self._given.get(learner) if self.enrolled(learner) else ()

    def enrolled(self, learner: LearnerId) -> bool:
        """Whether somebody is in a class: they take turns and buckets of their own."""
        return any(one.state in ("active", "preview") for one in self._mine.get(learner))

    def seats(self, learner: LearnerId) -> tuple[tuple[Class, Enrolment], ...]:
        """The running classes that somebody is in as a learner, with their seat."""
        return self._seats.get(learner) if self.enrolled(learner) else ()

    def open_to(self, learner: LearnerId, slug: Slug) -> bool:
        """Whether an exercise is there for a learner: it is, unless others reserve it."""
        if slug not in self._reserved.get(None):
            return True
        now = self._parts.now()
        return any(
            one.assignment.exercise == slug
            and (one.enrolment.state == "preview" or one.terms.opens_at <= now)
            for one in self.given(learner)
        )

    def due(self, learner: LearnerId, slug: Slug) -> bool:
        """Whether the moment of a try matters: an assignment on it is still open."""
        now = self._parts.now()
        return any(
            one.assignment.exercise == slug and one.terms.open_at(now)
            for one in self.given(learner)
        )

    def limit(self, learner: LearnerId, slug: Slug, at: datetime) -> TryLimit | None:
        """How many tries there are at a moment; None where there is no limit."""
        limits = [
            TryLimit(one.terms.opens_at, one.terms.closes_at + GRACE, one.terms.attempts)
            for one in self.given(learner)
            if one.assignment.exercise == slug
            and one.terms.attempts is not None
            and one.terms.open_at(at)
        ]
        return min(limits, key=lambda limit: limit.attempts, default=None)

    def group(self, learner: LearnerId, slug: Slug) -> str:
        """The class of the learner's first assignment on an exercise, "" where there is none."""
        mine = (x.assignment.class_id for x in self.given(learner) if x.assignment.exercise == slug)
        return next(mine, "")

    def may_join(self, gone: LearnerId, into: LearnerId) -> bool:
        """Whether one learner's work may go over to another's; both ways stand in the log.

        Not where both have a seat in one class: that is merging, and for the instructor to do.
        """
        seats = [
            {one.class_id: one for one in self._parts.school.enrolments.of_learner(who)
             if one.state != "preview" and one.merged_into is None}
            for who in (gone, into)
        ]  # fmt: skip
        twice = seats[0].keys() & seats[1].keys()
        for class_id, seat in {**seats[0], **seats[1]}.items():
            if twice and class_id not in twice:
                continue
            action = "joining two seats refused" if twice else "work brought along"
            self._parts.note(f"learner {gone}", action, seat.id, seat.name, class_id)
        return not twice

    def forget(self) -> None:
        """Look everything up again: a class was changed."""
        for remembered in (self._mine, self._given, self._reserved, self._seats):
            remembered.forget()

    def _read_given(self, learner: LearnerId) -> tuple[Given, ...]:
        found = self._parts.school.assignments.of_learner(learner)
        zones = {one: self._parts.zone_of(one) for one in {each.class_id for each, *_ in found}}
        return tuple(
            Given(
                assignment,
                enrolment,
                terms(assignment.policy, extension),
                extension,
                zones[assignment.class_id],
            )
            for assignment, enrolment, extension in found
        )

    def _read_reserved(self, _all: None) -> frozenset[Slug]:
        return frozenset(one.exercise for one in self._parts.school.assignments.reserved())

    def _read_seats(self, learner: LearnerId) -> tuple[tuple[Class, Enrolment], ...]:
        mine = [one for one in self._mine.get(learner) if one.state == "active"]
        found = [(self._parts.class_of(one.class_id), one) for one in mine]
        return tuple((made, one) for made, one in found if made.archived_at is None)

    def _read_mine(self, learner: LearnerId) -> tuple[Enrolment, ...]:
        """All that is asked for most learners: they are in no class, and nothing follows."""
        return self._parts.school.enrolments.of_learner(learner)
