"""Fakes of the ports of classes: what learners did, judged anew, and what staff did."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from app.model import LearnerId, Slug, SubmissionId
from app.model.classes import (
    AuditEntry,
    ClassId,
    DeletionRequest,
    EnrolmentId,
    Program,
    Regrade,
    Regraded,
    RegradeRule,
    RegradeState,
    Try,
)
from app.records import Json, Submission
from tests.fake_class_shelves import ClassShelves


def mistakes(report: Json | None) -> tuple[str, ...]:
    """The misconceptions a report names."""
    found: Any = (report or {}).get("diagnosis") or {}
    several = found.get("mistakes") or ([found] if found.get("misconception") else [])
    return tuple(one["misconception"] for one in several)


class FakeClassWork:
    """The port `ClassRecords`."""

    def __init__(self, kept: ClassShelves) -> None:
        self._kept = kept

    def tries(self, class_id: ClassId, *, mistakes: bool = True) -> tuple[Try, ...]:
        with self._kept.work.lock:
            found = tuple(self._try(s) for s, _ in self._kept.sent(class_id))
        return found if mistakes else tuple(replace(one, mistakes=()) for one in found)

    def tries_of(
        self, learner: LearnerId, exercises: Sequence[Slug], *, mistakes: bool = False
    ) -> tuple[Try, ...]:
        with self._kept.work.lock:
            every = self._kept.work.submissions.values()
            mine = [s for s in every if s.learner == learner and s.exercise in exercises]
            found = [self._try(s) for s in mine]
        ordered = sorted(found, key=lambda one: (one.at, one.id))
        return tuple(one if mistakes else replace(one, mistakes=()) for one in ordered)

    def _try(self, sent: Submission) -> Try:
        at = self._kept.work.attempted[sent.id]
        opened = self._kept.work.hints.items()
        hints = sum(key[:2] == (sent.learner, sent.exercise) and then <= at for key, then in opened)
        report: Any = sent.report or {}
        right = [test["verdict"] == "accepted" for test in report.get("tests") or []]
        return Try(
            sent.id, sent.learner, sent.exercise, at, report.get("verdict"),
            report.get("passed", 0), report.get("total", 0), hints,
            sum(one << n for n, one in enumerate(right)), mistakes(sent.report),
        )  # fmt: skip

    def changed_at(self, class_id: ClassId) -> str:
        mine = [one for one in self._kept.enrolments.values() if one.class_id == class_id]
        ids = {one.id for one in mine}
        given = [one for one in self._kept.assignments.values() if one.class_id == class_id]
        log = [one for one in self._kept.audit if one.class_id == class_id]
        more = [x for x in self._kept.extensions.values() if x.enrolment in ids]
        own = [x for x in self._kept.overrides.values() if x.enrolment in ids]
        return repr((self.tries(class_id), self.hints(class_id), mine, given, more, own, log))

    def hints(self, class_id: ClassId) -> tuple[tuple[LearnerId, Slug, datetime], ...]:
        people = self._kept.seated(class_id, "active", "removed")
        given = self._kept.given(class_id)
        opened = sorted(self._kept.work.hints.items(), key=lambda one: one[1])
        return tuple(
            (who, slug, at) for (who, slug, _), at in opened if who in people and slug in given
        )

    def programs(self, class_id: ClassId, exercise: Slug | None = None) -> tuple[Program, ...]:
        solutions = self._kept.work.solutions
        return tuple(
            Program(
                s.id, s.learner, s.exercise, s.source, s.created_at,
                None if s.report is None else str(s.report["verdict"]), mistakes(s.report),
                solutions.get((s.learner, s.exercise)),
            )
            for s, _ in self._kept.sent(class_id)
            if exercise in (None, s.exercise)
        )  # fmt: skip

    def showing(
        self, class_id: ClassId, exercise: Slug, misconception: str
    ) -> tuple[SubmissionId, ...]:
        return tuple(
            s.id
            for s, seat in self._kept.sent(class_id)
            if seat.state == "active"
            and s.exercise == exercise
            and misconception in mistakes(s.report)
        )

    # -------------------------------------------------------------- one learner

    def kept_of(self, learner: LearnerId) -> Json:
        work = self._kept.work
        seats = [one for one in self._kept.enrolments.values() if one.learner == learner]
        found: Json = {
            "learner": {"id": learner, "name": work.who(learner).name},
            "submissions": [
                {
                    "id": s.id, "exercise": s.exercise, "at": s.created_at.isoformat(),
                    "source": s.source.decode("utf-8", "replace"), "report": s.report,
                }
                for s in work.of(learner)
            ],
            "classes": [
                {"name": one.name, "title": self._kept.classes[one.class_id].title}
                for one in seats
            ],
            "hints": [{"exercise": key[1]} for key in work.hints if key[0] == learner],
            "solutions": [{"exercise": key[1]} for key in work.solutions if key[0] == learner],
            "answers": [{"exercise": key[1]} for key in work.answers if key[0] == learner],
            "drafts": [
                {"exercise": key[1], "source": one.source.decode("utf-8", "replace")}
                for key, one in work.drafts.items()
                if key[0] == learner
            ],
        }  # fmt: skip
        return found

    def delete(self, learner: LearnerId, at: datetime) -> None:
        with self._kept.work.lock:
            joined = self._kept.work.joined
            for who in [learner, *(one for one, into in joined.items() if into == learner)]:
                self._delete(who, at)

    def _delete(self, learner: LearnerId, at: datetime) -> None:
        work = self._kept.work
        for sent in work.of(learner):
            by_submission: list[dict[Any, Any]] = [
                work.submissions, work.keys, work.attempted, work.looks, work.links
            ]  # fmt: skip
            for shelf in by_submission:
                shelf.pop(sent.id, None)
        by_learner: list[dict[Any, Any]] = [work.hints, work.solutions, work.answers, work.drafts]
        for shelf in by_learner:
            for key in [key for key in shelf if key[0] == learner]:
                del shelf[key]
        own: list[dict[Any, Any]] = [work.learners, work.joined, work.codes]
        for shelf in own:
            shelf.pop(learner, None)
        for seat in [one for one in self._kept.enrolments.values() if one.learner == learner]:
            self._blank(seat.id, at)

    def _blank(self, seat: EnrolmentId, at: datetime) -> None:
        for key in [key for key in self._kept.extensions if key[1] == seat]:
            del self._kept.extensions[key]
        self._kept.requests.pop(seat, None)
        self._kept.seats.pop(seat, None)
        self._kept.enrolments[seat] = replace(
            self._kept.enrolments[seat], name="deleted", sort_name="", student_id=None,
            campus_login=None, section="", learner=None, state="removed", removed_at=at,
        )  # fmt: skip

    def delete_idle(self, learner: LearnerId, before: datetime, at: datetime) -> bool:
        with self._kept.work.lock:
            if learner not in self.idle_since(before):
                return False
            self.delete(learner, at)
            return True

    def idle_since(self, before: datetime) -> tuple[LearnerId, ...]:
        work = self._kept.work
        seated = {one.learner for one in self._kept.enrolments.values()}
        idle = [
            who
            for who, known in work.learners.items()
            if who not in seated and who not in work.joined
            if known.created_at is not None and known.created_at < before
            if all(at < before for at in self._signs(who))
        ]
        return tuple(sorted(idle))

    def _signs(self, learner: LearnerId) -> Iterable[datetime]:
        work = self._kept.work
        yield from (one.created_at for one in work.of(learner))
        yield from (at for key, at in work.hints.items() if key[0] == learner)
        yield from (one.saved_at for key, one in work.drafts.items() if key[0] == learner)
        yield from (one.answered_at for key, one in work.answers.items() if key[0] == learner)

    def request_deletion(self, request: DeletionRequest) -> None:
        self._kept.requests[request.enrolment] = request

    def deletion_requests(self, class_id: ClassId) -> tuple[DeletionRequest, ...]:
        found = [
            one
            for seat, one in self._kept.requests.items()
            if self._kept.enrolments[seat].class_id == class_id
        ]
        return tuple(sorted(found, key=lambda one: one.at))


class FakeRegrades:
    """The port `Regrades`."""

    def __init__(self, kept: ClassShelves) -> None:
        self._kept = kept

    def _judged(self, class_id: ClassId | None, exercise: Slug) -> list[Submission]:
        mine = (one for one in self._kept.enrolments.values() if one.class_id == class_id)
        people = {one.learner for one in mine}
        every = sorted(self._kept.work.submissions.values(), key=lambda one: one.id)
        return [s for s in every if s.learner in people and s.exercise == exercise and s.report]

    def digests(self, exercise: Slug, class_id: ClassId) -> tuple[tuple[str, int], ...]:
        judged = self._judged(class_id, exercise)
        found = Counter(str(s.report["digest"]) for s in judged if s.report)
        return tuple(sorted(found.items()))

    def note_version(self, exercise: Slug, digest: str, files: Json, at: datetime) -> None:
        self._kept.versions.setdefault((exercise, digest), (files, at))

    def version(self, exercise: Slug, digest: str) -> tuple[Json, datetime] | None:
        return self._kept.versions.get((exercise, digest))

    def start(self, regrade: Regrade) -> int | None:
        if regrade.class_id is not None and any(
            one.exercise == regrade.exercise for one in self.of_class(regrade.class_id)
        ):
            return None
        judged = self._judged(regrade.class_id, regrade.exercise)
        wanted = [s for s in judged if s.report and s.report["digest"] != regrade.digest]
        if wanted:
            self._kept.regrades[regrade.id] = replace(regrade, state="judging")
        for sent in wanted:
            self._kept.staged[regrade.id, sent.id] = None
        return len(wanted)

    def get(self, regrade: str) -> Regrade | None:
        found = self._kept.regrades.get(regrade)
        if found is None:
            return None
        mine = [report for (name, _), report in self._kept.staged.items() if name == regrade]
        return replace(found, tries=len(mine), waiting=mine.count(None))

    def of_class(self, class_id: ClassId) -> tuple[Regrade, ...]:
        open_ = [
            name
            for name, one in sorted(self._kept.regrades.items(), reverse=True)
            if one.class_id == class_id and one.state in ("judging", "ready")
        ]
        return tuple(found for found in map(self.get, open_) if found is not None)

    def waiting(self) -> tuple[tuple[str, SubmissionId], ...]:
        left = [key for key, report in self._kept.staged.items() if report is None]
        return tuple(sorted(key for key in left if self._kept.regrades[key[0]].state == "judging"))

    def keep(self, regrade: str, submission: SubmissionId, report: Json, at: datetime) -> None:
        self._kept.staged[regrade, submission] = json.loads(json.dumps(report))
        found = self.get(regrade)
        if found is not None and found.state == "judging" and not found.waiting:
            self._kept.regrades[regrade] = replace(found, state="ready")

    def results(self, regrade: str) -> tuple[Regraded, ...]:
        mine = sorted(one for one in self._kept.staged if one[0] == regrade)
        return tuple(self._result(name, submission) for name, submission in mine)

    def _result(self, regrade: str, submission: SubmissionId) -> Regraded:
        sent = self._kept.work.submissions[submission]
        old: Any = sent.report
        new: Any = self._kept.staged[regrade, submission] or {}
        return Regraded(
            sent.id, sent.learner, old["verdict"], old["passed"], old["total"],
            new.get("verdict"), new.get("passed", 0), new.get("total", 0),
        )  # fmt: skip

    def finish(
        self, regrade: str, state: RegradeState, rule: RegradeRule, at: datetime
    ) -> int | None:
        found = self._kept.regrades[regrade]
        if found.state not in ("judging", "ready"):
            return None
        self._kept.regrades[regrade] = replace(found, state=state, rule=rule)
        if state != "applied":
            return 0
        return sum(self._replaced(regrade, one, rule) for one in self.results(regrade))

    def _replaced(self, regrade: str, one: Regraded, rule: RegradeRule) -> bool:
        worse = rule == "only_better" and one.new_passed <= one.old_passed
        if one.new_verdict in (None, "grader_error") or worse:
            return False
        sent = self._kept.work.submissions[one.submission]
        new = self._kept.staged[regrade, one.submission]
        if sent.report is not None:
            self._kept.past.append((sent.id, sent.report))
        self._kept.work.submissions[sent.id] = replace(sent, report=new)
        return True


class FakeAudit:
    """The port `Audit`."""

    def __init__(self, kept: ClassShelves) -> None:
        self._kept = kept

    def add(self, entry: AuditEntry) -> None:
        self._kept.audit.append(entry)

    def _newest(self) -> list[AuditEntry]:
        return sorted(self._kept.audit, key=lambda one: one.id, reverse=True)

    def of_class(self, class_id: ClassId, most: int = 200) -> tuple[AuditEntry, ...]:
        return tuple(one for one in self._newest() if one.class_id == class_id)[:most]

    def of_object(self, names: Iterable[str], most: int = 200) -> tuple[AuditEntry, ...]:
        wanted = set(names)
        return tuple(one for one in self._newest() if one.object in wanted)[:most]

    def forget_before(self, at: datetime) -> int:
        old = [one for one in self._kept.audit if one.at < at]
        for one in old:
            self._kept.audit.remove(one)
        return len(old)
