"""What is kept of a learner: shown to them, handed to them, deleted, and forgotten in time."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from threading import Lock
from typing import cast

import structlog

from app.model import LearnerId
from app.model.classes import Class, ClassId, DeletionRequest, Enrolment, EnrolmentId
from app.service.school.classes import ClassBook
from app.service.school.errors import NotThere
from app.service.school.parts import By, SchoolParts
from app.service.school.people import People
from app.service.school.rules import ClassRules
from app.service.school.words import note

log = structlog.get_logger()

AUDIT_LASTS = timedelta(days=3 * 365)


@dataclass(frozen=True)
class Asked:
    """What became of a learner's wish: gone at once, or running classes have to agree first."""

    deleted: bool
    waiting: tuple[Class, ...] = ()


@dataclass(frozen=True)
class Retention:
    """What a run of the retention deletes, or would delete, in numbers."""

    classes: int
    class_learners: int
    anonymous: int
    sessions: int
    audit: int = 0


class Privacy:
    """The use cases around a person's data."""

    def __init__(
        self, parts: SchoolParts, rules: ClassRules, classes: ClassBook, people: People
    ) -> None:
        self._parts = parts
        self._rules = rules
        self._classes = classes
        self._people = people
        self._packing = Lock()

    def kept(self, learner: LearnerId) -> Mapping[str, object]:
        """All that is kept of a learner, as JSON would say it."""
        return self._parts.school.work.kept_of(learner)

    def archive(self, learner: LearnerId) -> bytes:
        """The same as a zip: `data.json`, and each submission as a .py file.

        One is made at a time, for each takes many times its length in memory.
        """
        with self._packing:
            return self._packed(self.kept(learner))

    def _packed(self, kept: Mapping[str, object]) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr("data.json", json.dumps(kept, indent=2))
            for one in cast("list[Mapping[str, str]]", kept["submissions"]):
                if "source" not in one:
                    continue
                at = one["at"][:19].replace(":", "").replace("T", "-")
                name = f"submissions/{one['exercise']}/{at}-{one['id']}.py"
                packed.writestr(name, one["source"].encode("utf-8", "replace"))
        return out.getvalue()

    def running_classes(self, learner: LearnerId) -> tuple[tuple[Class, Enrolment], ...]:
        """The running classes that a learner is in, with their seat."""
        mine = self._parts.school.enrolments.of_learner(learner)
        found = [(self._parts.class_of(one.class_id), one) for one in mine if one.state == "active"]
        return tuple((made, one) for made, one in found if made.archived_at is None)

    def ask_to_delete(self, learner: LearnerId) -> Asked:
        """Delete a learner at once, or ask the running classes that still need their work."""
        running = self.running_classes(learner)
        if not running:
            self._delete(learner, f"learner {learner}", None)
            return Asked(deleted=True)
        for made, enrolment in running:
            request = DeletionRequest(enrolment.id, self._parts.now())
            self._parts.school.work.request_deletion(request)
            self._parts.note(f"learner {learner}", "deletion asked for", enrolment.id, "", made.id)
        return Asked(deleted=False, waiting=tuple(made for made, _ in running))

    def requests(self, class_id: ClassId) -> tuple[tuple[Enrolment, DeletionRequest], ...]:
        """Who of a class asked to be deleted, and what was answered."""
        people = {one.id: one for one in self._people.all(class_id)}
        found = self._parts.school.work.deletion_requests(class_id)
        return tuple((people[one.enrolment], one) for one in found if one.enrolment in people)

    def explain(self, class_id: ClassId, enrolment: EnrolmentId, answer: str, by: By) -> None:
        """Say why somebody's work is still needed. Raises NotThere."""
        asked = [one for _, one in self.requests(class_id) if one.enrolment == enrolment]
        if not asked:
            raise NotThere(enrolment)
        now = self._parts.now()
        answered = DeletionRequest(enrolment, asked[0].at, note(answer), now)
        self._parts.school.work.request_deletion(answered)
        self._parts.note(by, "deletion explained", enrolment, answered.answer, class_id)

    def delete(self, class_id: ClassId, enrolment: EnrolmentId, by: By) -> None:
        """Delete a learner of a class with all their work. Raises NotThere."""
        found = self._people.one(class_id, enrolment)
        if found.learner is None:
            self._people.remove(class_id, enrolment, by)
            return
        self._delete(found.learner, by, class_id)

    def _delete(self, learner: LearnerId, by: By, class_id: ClassId | None) -> None:
        self._parts.school.work.delete(learner, self._parts.now())
        self._deleted(by, class_id)

    def _deleted(self, by: By, class_id: ClassId | None) -> None:
        actor = "a learner" if isinstance(by, str) and by.startswith("learner ") else by
        self._parts.note(actor, "learner deleted", "", "", class_id)
        self._parts.forget_learners()
        self._rules.forget()

    # -------------------------------------------------------------- in time

    def retention(self, anonymous_days: int, *, dry_run: bool = False) -> Retention:
        """Delete what is needed no more: work of classes archived long ago, idle learners.

        `anonymous_days` 0 keeps learners without a class for good. With `dry_run` only counts.
        """
        now = self._parts.now()
        due = [
            made
            for made in self._classes.all()
            if (at := self._classes.deleted_at(made)) is not None
            and at <= now
            and self._only_here(made.id)
        ]
        theirs = {who for made in due for who in self._only_here(made.id)}
        before = now - timedelta(days=anonymous_days)
        idle: tuple[LearnerId, ...] = ()
        if anonymous_days > 0:
            idle = self._parts.school.work.idle_since(before)
        sessions = audit = 0
        if not dry_run:
            for learner in theirs:
                self._in_time(partial(self._delete_unneeded, learner))
            for learner in idle:
                self._in_time(partial(self._delete_idle, learner, before))
            sessions = self._parts.school.sign_ins.forget_before(now)
            audit = self._parts.school.audit.forget_before(now - AUDIT_LASTS)
        return Retention(len(due), len(theirs), len(idle), sessions, audit)

    def _in_time(self, delete: Callable[[], None]) -> None:
        """Delete one learner's work; where that fails it is logged, and the others' goes on."""
        try:
            delete()
        except Exception as error:
            log.error("deletion_failed", exc_info=error)

    def _delete_unneeded(self, learner: LearnerId) -> None:
        """A night takes a while: whom a running class needs by now stays."""
        if not self._needed(learner):
            self._delete(learner, "retention", None)

    def _delete_idle(self, learner: LearnerId, before: datetime) -> None:
        """Who came back while others were deleted stays."""
        now = self._parts.now()
        if self._parts.school.work.delete_idle(learner, before, now):
            self._deleted("retention", None)

    def _only_here(self, class_id: ClassId) -> tuple[LearnerId, ...]:
        """The learners of an archived class whom no running class needs."""
        people = self._parts.school.enrolments.of_class(class_id)
        learners = [one.learner for one in people if one.learner is not None]
        return tuple(who for who in learners if not self._needed(who))

    def _needed(self, learner: LearnerId) -> bool:
        now = self._parts.now()
        for one in self._parts.school.enrolments.of_learner(learner):
            at = self._classes.deleted_at(self._parts.class_of(one.class_id))
            if at is None or at > now:
                return True
        return False
