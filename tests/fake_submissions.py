"""Submissions in the fake of the port `Store`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from app.model import LearnerId, Slug, SubmissionId, Verdict
from app.model.classes import NO_ATTEMPT
from app.ports import GradeJob
from app.ports.classes import TriesUsedUp
from app.records import Attempt, ExportRow, Json, NewSubmission, Progress, State, Submission
from app.report.shared_values import SHARED, part
from tests.fake_shelves import Shelves, attempt_of, verdict_of

SECOND = timedelta(seconds=1)


class FakeSubmissions:
    """The port `Submissions`."""

    def __init__(self, kept: Shelves) -> None:
        self._kept = kept

    def add(self, new: NewSubmission, job: GradeJob | None = None) -> tuple[Submission, bool]:
        with self._kept.lock:
            self._kept.ensure(new.learner, new.created_at)
            learner = self._kept.who(new.learner).id
            known = new.key and self.known(learner, new.exercise, new.source, new.key)
            if known:
                return known, False
            self._check_limit(learner, new)
            made = Submission(new.id, learner, new.exercise, new.source, new.created_at)
            self._kept.attempted[new.id] = new.attempted_at or new.created_at
            self._kept.submissions[new.id] = made
            if new.key:
                self._kept.keys[new.id] = new.key
            return made, True

    def settle(self) -> None:
        pass

    def _check_limit(self, learner: LearnerId, new: NewSubmission) -> None:
        limit = new.limit
        if limit is None:
            return
        used = sum(
            limit.opens_at <= self._kept.attempted[s.id] <= limit.closes_at
            and verdict_of(s) not in NO_ATTEMPT
            for s in self._kept.of(learner, new.exercise)
        )
        if used >= limit.attempts:
            raise TriesUsedUp

    def known(self, learner: LearnerId, slug: Slug, source: bytes, key: str) -> Submission | None:
        with self._kept.lock:
            same = [s for s in self._kept.of(learner, slug) if s.source == source]
            return next((s for s in same if self._kept.keys.get(s.id) == key), None)

    def get(self, submission: SubmissionId) -> Submission | None:
        return self._kept.submissions.get(submission)

    def unreported(self) -> tuple[SubmissionId, ...]:
        with self._kept.lock:
            return tuple(sorted(s.id for s in self._kept.submissions.values() if s.report is None))

    def faults(self) -> tuple[SubmissionId, ...]:
        with self._kept.lock:
            every = self._kept.submissions.values()
            ours = (s.id for s in every if s.report and s.report["verdict"] == "grader_error")
            return tuple(sorted(ours))

    def part(self, hashed: bytes) -> object | None:
        with self._kept.lock:
            told = [s.report for s in self._kept.submissions.values() if s.report]
            tests: list[Any] = [test for report in told for test in report.get("tests") or []]  # type: ignore[attr-defined]
            values = [test.get(key) for test in tests for key in SHARED]
            shared = [(part(value), value) for value in values]
            return next((value for found, value in shared if found and found[0] == hashed), None)

    def shrink(self, most: int) -> bool:
        return False

    def correct(self, submission: SubmissionId, report: Json, at: datetime) -> bool:
        with self._kept.lock:
            if submission not in self.faults():
                return False
            copy: Json = json.loads(json.dumps(report, allow_nan=False))
            found = self._kept.submissions[submission]
            self._kept.submissions[submission] = replace(found, report=copy)
            return True

    def replace(self, submission: SubmissionId, report: Json, at: datetime) -> bool:
        with self._kept.lock:
            found = self._kept.submissions.get(submission)
            if found is None or found.report is None:
                return False
            copy: Json = json.loads(json.dumps(report, allow_nan=False))
            self._kept.submissions[submission] = replace(found, report=copy)
            return True

    def record(self, submission: SubmissionId, report: Json, at: datetime) -> bool:
        with self._kept.lock:
            found = self._kept.submissions.get(submission)
            if found is None or found.report is not None:
                return False
            copy: Json = json.loads(json.dumps(report, allow_nan=False))
            self._kept.submissions[submission] = replace(found, report=copy)
            return True

    def history(self, learner: LearnerId, slug: Slug) -> tuple[Attempt, ...]:
        with self._kept.lock:
            newest_first = reversed(self._kept.of(learner, slug))
            return tuple(attempt_of(s, shared=s.id in self._kept.links) for s in newest_first)

    def progress(self, learner: LearnerId) -> tuple[Progress, ...]:
        with self._kept.lock:
            touched = {s.exercise for s in self._kept.of(learner)}
            touched |= {slug for slug, _ in self._kept.open_hints(learner)}
            touched |= {slug for who, slug in self._kept.solutions if who == learner}
            touched |= {slug for who, slug, _ in self._kept.drafts if who == learner}
            return tuple(self._progress(learner, slug) for slug in sorted(touched))

    def _progress(self, learner: LearnerId, slug: Slug) -> Progress:
        hints = len(self._kept.open_hints(learner, slug))
        solution = (learner, slug) in self._kept.solutions
        tried = self._kept.of(learner, slug)
        if not tried:
            return Progress(slug, "begun", hints=hints, solution=solution)
        passes = [s.created_at for s in tried if verdict_of(s) == Verdict.ACCEPTED]
        state: State = "passed" if passes else "tried"
        last = attempt_of(tried[-1])
        return Progress(
            slug,
            state,
            attempts=sum(verdict_of(s) != Verdict.GRADER_ERROR for s in tried),
            hints=hints,
            solution=solution,
            first_passed_at=min(passes, default=None),
            last_at=last.created_at,
            last_verdict=last.verdict,
            last_passed=last.passed,
            last_total=last.total,
            last_mask=last.mask,
        )

    def export(self) -> Iterator[ExportRow]:
        with self._kept.lock:
            rows = sorted(self._kept.submissions.values(), key=lambda s: s.id)
        for s in rows:
            told = attempt_of(s)
            known = self._kept.open_hints(s.learner, s.exercise)
            opened = [self._kept.hints[s.learner, slug, number] for slug, number in known]
            yield ExportRow(
                s.id,
                s.learner,
                self._kept.learners[s.learner].name,
                s.exercise,
                s.created_at,
                told.verdict or "",
                told.passed,
                told.total,
                sum(at <= s.created_at for at in opened),
                self._kept.solutions.get((s.learner, s.exercise), s.created_at + SECOND)
                <= s.created_at,
            )
