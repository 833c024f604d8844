"""What is kept of a learner's work: frozen rows that the service and a store hand to each other.

Only data: how they are stored is the business of `storage/`, what they mean that of `service/`.
All times are UTC and aware. Reports are kept as the JSON objects of format 1 (`app/report/`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from app.model import LearnerId, Slug, SubmissionId
from app.model.bounds import DRAFTS, DRAFTS_BYTES
from app.model.classes import TryLimit

Json: TypeAlias = Mapping[str, object]
"""A JSON object, as `json.loads` gives it."""


@dataclass(frozen=True)
class Learner:
    """Somebody with a cookie. `id` may differ from the one asked for where two were joined.

    `created_at` is None until the first write: a page view leaves no row.
    """

    id: LearnerId
    name: str = ""
    created_at: datetime | None = None


@dataclass(frozen=True)
class NewSubmission:
    """A submission about to be stored; `key` is the client's Idempotency-Key, or None.

    `attempted_at` is when it was refused at first, where it was; `limit` how many tries it may be
    one of.
    """

    id: SubmissionId
    learner: LearnerId
    exercise: Slug
    source: bytes
    created_at: datetime
    key: str | None = None
    attempted_at: datetime | None = None
    limit: TryLimit | None = None


@dataclass(frozen=True)
class Submission:
    """One learner's source for one exercise at one time, and its report once it was judged.

    `source` is the bytes as they were sent (UTF-8; lone surrogates of a form as surrogatepass).
    """

    id: SubmissionId
    learner: LearnerId
    exercise: Slug
    source: bytes
    created_at: datetime
    report: Json | None = None


@dataclass(frozen=True)
class SecondLook:
    """What an accepted submission gave on random legal inputs: the smallest it is off on, or None.

    `test` is that input's result as a report spells a visible test.
    """

    submission: SubmissionId
    exercise: Slug
    digest: str
    looked_at: datetime
    draw: int | None = None
    test: Json | None = None


@dataclass(frozen=True)
class Hole:
    """A random input that accepted code is off on: the exercise's six tests don't tell.

    `submissions` counts those whose smallest it is; `source` is one of them, None where their
    learners took all of them out.
    """

    exercise: Slug
    digest: str
    draw: int
    found_at: datetime
    submissions: int
    source: bytes | None


@dataclass(frozen=True)
class Attempt:
    """One line of a learner's history; `verdict` is None while the submission is in line.

    Bit i of `mask` is set where test i is right; None where that was not kept. `mistakes` are the
    known ones that its report names, each of a set.
    """

    id: SubmissionId
    exercise: Slug
    created_at: datetime
    verdict: str | None
    passed: int
    total: int
    shared: bool = False
    mask: int | None = None
    mistakes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Revealed:
    """How far a learner has gone down an exercise's ladder: hints 1 to `hints` are open.

    `solution` is true once the learner chose to see the reference; `passed` once a submission of
    theirs was accepted, which opens it too.
    """

    hints: int = 0
    solution: bool = False
    passed: bool = False


@dataclass(frozen=True)
class Draft:
    """A text being written on one device or tab; `version` changes with every save.

    `name` is what the page calls it when it is not the one that is open.
    """

    exercise: Slug
    source: bytes
    version: str
    device: str
    saved_at: datetime

    @property
    def name(self) -> str:
        """ "Draft of 29 Nov, 14:02:07 UTC": when it was last typed in."""
        return f"Draft of {self.saved_at.day} {self.saved_at:%b, %H:%M:%S} UTC"


@dataclass(frozen=True)
class Drafts:
    """The text to open, which is the newest, and the others, newest first; never merged."""

    opened: Draft | None
    others: tuple[Draft, ...] = ()

    def kept(self) -> Drafts:
        """As many of them as are kept, the newest first; the open one always is."""
        room = DRAFTS_BYTES - (0 if self.opened is None else len(self.opened.source))
        found: list[Draft] = []
        for draft in self.others[: DRAFTS - 1]:
            room -= len(draft.source)
            if room < 0:
                break
            found.append(draft)
        return Drafts(self.opened, tuple(found))


State: TypeAlias = Literal["new", "begun", "tried", "passed"]
"""begun: a draft or a hint but no submission; tried: submissions, none accepted."""


@dataclass(frozen=True)
class Progress:
    """What a learner has done with one exercise; attempts that were our fault do not count."""

    exercise: Slug
    state: State
    attempts: int = 0
    hints: int = 0
    solution: bool = False
    first_passed_at: datetime | None = None
    last_at: datetime | None = None
    last_verdict: str | None = None
    last_passed: int = 0
    last_total: int = 0
    last_mask: int | None = None


@dataclass(frozen=True)
class WorkSummary:
    """Whose work a recovery code opens, in counts and dates, for the learner to recognise."""

    learner: LearnerId
    name: str
    submissions: int
    passed: int
    hints: int
    first_at: datetime | None
    last_at: datetime | None


@dataclass(frozen=True)
class FollowUpAnswer:
    """A learner's last answer to a follow-up question, in the words they gave."""

    exercise: Slug
    number: int
    text: str
    outcome: Literal["right", "off", "unreadable", "kept"]
    answered_at: datetime


@dataclass(frozen=True)
class ExportRow:
    """One submission as a host's spreadsheet wants it.

    `hints` were open when it was made, and `solution` says whether the solution was.
    """

    submission: SubmissionId
    learner: LearnerId
    name: str
    exercise: Slug
    created_at: datetime
    verdict: str
    passed: int
    total: int
    hints: int
    solution: bool = False
