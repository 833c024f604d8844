"""A fake of the port `Judge`: it judges at once, in the thread that asks."""

from __future__ import annotations

from concurrent.futures import Future

from app.futures import settled
from app.model import Lane, SubmissionId
from app.ports import GradeJob, Load, SandboxFault
from app.records import Json
from app.service.grading import Grading
from app.service.judged_here import Find
from tests.service.world import expectations


class FakeJudge:
    """The port `Judge`, over real grading."""

    def __init__(self, grading: Grading, find: Find) -> None:
        self._grading = grading
        self._find = find

    def start(self) -> None:
        """Nothing to start."""

    def left(self) -> tuple[SubmissionId, ...]:
        return self._grading.store.unreported()

    def judge(self, job: GradeJob) -> Future[Json]:
        stored, exercise = self._find(job.submission)
        if stored.report is not None:
            return settled(stored.report)
        known, fault = expectations(exercise), SandboxFault()
        for lane in (Lane.FAST, Lane.SLOW, Lane.SLOW):
            try:
                report = self._grading.grade(stored, exercise, known, see=job.see, lane=lane)
            except SandboxFault as again:
                fault = again
            else:
                if report is not None:
                    return settled(report)
        return settled(self._grading.record_fault(stored, exercise, known, fault))

    def place(self, submission: SubmissionId) -> int | None:
        return None

    def wait_s(self) -> float:
        return 0.0

    def load(self) -> Load:
        return Load(0, 0, 0, 0)

    def close(self, drain_s: float = 0.0) -> None:
        """Nothing is held."""
