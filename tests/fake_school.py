"""A fake of the port `SchoolStore`: all in memory. It passes the contract suite of stores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from app.model import LearnerId
from tests.fake_campus_store import FakeCampusStore
from tests.fake_class_shelves import ClassShelves
from tests.fake_class_work import FakeAudit, FakeClassWork, FakeRegrades, mistakes
from tests.fake_people import (
    FakeAccounts,
    FakeAssignments,
    FakeClasses,
    FakeEnrolments,
    FakeSignIns,
)
from tests.fake_shelves import Shelves


class FakeSchool:
    """The port `SchoolStore`, on the same shelves as a `FakeStore`."""

    def __init__(self, work: Shelves) -> None:
        self._kept = ClassShelves(work)
        work.after_join.append(self._joined)
        self.accounts = FakeAccounts(self._kept)
        self.sign_ins = FakeSignIns(self._kept)
        self.classes = FakeClasses(self._kept)
        self.enrolments = FakeEnrolments(self._kept)
        self.assignments = FakeAssignments(self._kept)
        self.work = FakeClassWork(self._kept)
        self.regrades = FakeRegrades(self._kept)
        self.audit = FakeAudit(self._kept)
        self.campus = FakeCampusStore(self._kept, self.classes)

    def _joined(self, gone: LearnerId, into: LearnerId) -> None:
        """The seats of who is gone go along, but for classes where both sit."""
        there = {one.class_id for one in self.enrolments.of_learner(into)}
        for one in self.enrolments.of_learner(gone):
            if one.class_id not in there:
                self._kept.enrolments[one.id] = replace(one, learner=into)
        self.campus.courses.joined(gone, into)

    @property
    def past(self) -> list[tuple[str, int]]:
        """Reports that were replaced: of which submission, and how many tests it had right."""
        return [(one, int(str(report["passed"]))) for one, report in self._kept.past]

    def counts(self) -> Mapping[str, int]:
        """How many there are of each thing, by the names of the database's tables."""
        work = self._kept.work
        told = [one.report for one in work.submissions.values() if one.report]
        return {
            "learners": len(work.learners),
            "submissions": len(work.submissions),
            "sources": len({one.source for one in work.submissions.values()}),
            "reports": len(told),
            "report_mistakes": sum(len(mistakes(one)) for one in told),
            "shares": len(work.links),
            "hint_reveals": len(work.hints),
            "solution_reveals": len(work.solutions),
            "drafts": len(work.drafts),
            "recovery_codes": len(work.codes),
            "extensions": len(self._kept.extensions),
            "overrides": len(self._kept.overrides),
            "deletion_requests": len(self._kept.requests),
        }
