"""What the core asks of the part that has stored submissions judged."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass
from typing import Protocol

from app.model import SubmissionId
from app.ports.job_lines import Load
from app.records import Json


@dataclass(frozen=True)
class GradeJob:
    """A stored submission to be judged: only data, so that another machine may take it.

    `turn` is whose turn it takes; where many machines share a queue, `group` is: its class, "" for
    none. With `see`, the report of one that is off also shows what the code does.
    """

    submission: SubmissionId
    turn: str
    see: bool = False
    group: str = ""


class Judge(Protocol):
    """Has stored submissions judged. A report is in the store before it is given away."""

    def start(self) -> None:
        """Begin; the line it stands on is started by its owner."""

    def left(self) -> tuple[SubmissionId, ...]:
        """Those that an earlier process left unjudged and that this one has to take up."""

    def judge(self, job: GradeJob) -> Future[Json]:
        """The report of a stored submission once there is one; asking twice judges once.

        What keeps it from being judged is told in the report, as our own fault. The future is
        cancelled where the server closes first.
        """

    def place(self, submission: SubmissionId) -> int | None:
        """Its place in line, 1 for the next; None when it does not wait in line."""

    def wait_s(self) -> float:
        """Seconds that a submission sent now is likely to wait; 0 where that is not known."""

    def load(self) -> Load:
        """How many submissions wait."""

    def close(self, drain_s: float = 0.0) -> None:
        """Let what it holds go, after at most `drain_s`; no future is left waiting."""
