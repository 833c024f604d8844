"""What the service says no with: somebody's plain mistake, or a full house, never a crash."""

from __future__ import annotations

from typing import Literal

from app.classroom.asking import Question
from app.model import Slug


class NoSuchExercise(LookupError):
    """No exercise of that slug is offered."""

    def __init__(self, slug: Slug) -> None:
        """Keep the slug for the page's sentence."""
        super().__init__(f"no exercise is called {slug!r}")
        self.slug = slug


class ExerciseBroken(Exception):
    """The exercise's folder has faults of its author; what is wrong is in the log and `doctor`."""

    def __init__(self, slug: Slug, complaints: tuple[str, ...]) -> None:
        """Keep the complaints, one line each, for the author's eyes only."""
        super().__init__(f"exercise {slug!r} is broken: " + "; ".join(complaints))
        self.slug = slug
        self.complaints = complaints


class NoSuchSubmission(LookupError):
    """There is none of that id, or it is somebody else's: the two look the same from outside."""


class NoSuchCase(LookupError):
    """The exercise has no visible case or example of that name."""


class NoDraws(LookupError):
    """The exercise has no random inputs."""


class NoSuchHint(LookupError):
    """The ladder has no such step."""


class NoSuchQuestion(LookupError):
    """The exercise has no follow-up question of that number."""


class NoSuchRecoveryCode(LookupError):
    """No learner's work is opened by this recovery code; it may have been used already."""


class OutOfOrder(Exception):
    """A hint or the solution was asked for before its turn; `next_hint` may be opened now."""

    def __init__(self, message: str, next_hint: int | None) -> None:
        """Say what has to come first."""
        super().__init__(message)
        self.next_hint = next_hint


class Closed(OutOfOrder):
    """A class keeps it shut for now: a hint, the solution, or a comparison during an exam."""

    def __init__(self, message: str) -> None:
        """Say what is shut, and until when."""
        super().__init__(message, None)


class NoTriesLeft(Exception):
    """All tries of an assignment are used up; nothing was stored. The text is a sentence."""


class AskFirst(Exception):
    """Nothing was stored: this try changes something for good, so its learner is asked first."""

    def __init__(self, question: Question) -> None:
        """Keep what is asked."""
        super().__init__(question.fact)
        self.question = question


class TwoSeats(Exception):
    """Two learners of one class are to be joined, which only their instructor may do."""


class BadArguments(Exception):
    """Custom arguments that cannot be used; the text is one sentence for the learner."""


class BadName(ValueError):
    """A name that cannot be kept; the text says why."""


DISK_FULL = "The disk of this server is nearly full, so nothing new can be kept just now."

RefusedKind = Literal["too_many", "line_full", "disk_full", "too_long", "not_ready"]


class Refused(Exception):
    """Nothing was stored: the caller may try again after `retry_after` whole seconds.

    too_many: this learner or address asks too often (429). line_full, disk_full, not_ready: the
    house is full, or not able to grade (503). too_long: the text is beyond what is ever kept (413).
    """

    def __init__(self, kind: RefusedKind, retry_after: int, message: str) -> None:
        """Keep kind and seconds; the message is the sentence shown."""
        super().__init__(message)
        self.kind: RefusedKind = kind
        self.retry_after = retry_after
        self.message = message
        self.attempt: str | None = None
        """A token that says when it was tried, where that matters."""
