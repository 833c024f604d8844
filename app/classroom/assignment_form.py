"""The form of an assignment: text in, a policy or all complaints at once out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Literal, TypeAlias, TypeVar
from zoneinfo import ZoneInfo

from app.classroom.dates import as_entered, entered, in_words
from app.classroom.policy import plain
from app.model.classes import (
    POINT,
    WHOLE,
    Counts,
    Feedback,
    Late,
    Policy,
    Scoring,
    SolutionRule,
)

Given = TypeVar("Given")
Field: TypeAlias = Literal[
    "points",
    "opens_at",
    "due_at",
    "closes_at",
    "late",
    "late_share",
    "scoring",
    "counts",
    "attempts",
    "hint_share",
    "feedback",
    "reveal_at",
    "solution",
    "reserved",
]

LATE: tuple[Late, ...] = ("accept", "refuse", "per_day")
SCORING: tuple[Scoring, ...] = ("share", "all")
COUNTS: tuple[Counts, ...] = ("best", "last")
FEEDBACK: tuple[Feedback, ...] = ("full", "visible", "count", "none")
SOLUTION: tuple[SolutionRule, ...] = ("usual", "after")

MOST_POINTS = 10_000
MOST_ATTEMPTS = 10_000


@dataclass(frozen=True)
class Read:
    """What a form says: a policy where nothing is off, what is off by field, and notes to read."""

    policy: Policy | None
    complaints: Mapping[str, str]
    notes: tuple[str, ...] = ()


class _Form:
    """The fields of one form and what is off with them so far."""

    def __init__(self, fields: Mapping[str, str], where: ZoneInfo) -> None:
        self.fields = fields
        self.where = where
        self.complaints: dict[str, str] = {}
        self.notes: list[str] = []

    def text(self, name: Field) -> str:
        return self.fields.get(name, "").strip()

    def take(self, name: Field, read: Callable[[str], Given], instead: Given) -> Given:
        """What a field says, or `instead` where it is off, with a complaint."""
        try:
            return read(self.text(name))
        except ValueError as error:
            self.complaints[name] = str(error)
            return instead

    def moment(self, name: Field, instead: datetime) -> datetime:
        def read(text: str) -> datetime:
            found = entered(text, self.where)
            if found.moved:
                self.notes.append(
                    f"The clocks go forward that night: {text.replace('T', ' ')} became "
                    f"{in_words(found.at, self.where)}."
                )
            return found.at

        return self.take(name, read, instead)


def read(fields: Mapping[str, str], where: ZoneInfo, now: datetime) -> Read:
    """The policy a form describes; dates are on the class's clock, shares in per cent.

    An empty `opens_at` is now, an empty `closes_at` the due date, an empty `reveal_at` the closing.
    """
    form = _Form(fields, where)
    late: Late = form.take("late", _one_of(LATE), "accept")
    opens = form.moment("opens_at", now) if form.text("opens_at") else now
    due = form.moment("due_at", opens)
    wants_closing = bool(form.text("closes_at")) and late != "refuse"
    closes = form.moment("closes_at", due) if wants_closing else due
    reveal = form.moment("reveal_at", closes) if form.text("reveal_at") else None
    policy = Policy(
        points=form.take("points", _points, POINT),
        opens_at=opens,
        due_at=due,
        closes_at=closes,
        late=late,
        late_share=form.take("late_share", _share, 0) if late == "per_day" else 0,
        scoring=form.take("scoring", _one_of(SCORING), "share"),
        counts=form.take("counts", _one_of(COUNTS), "best"),
        attempts=form.take("attempts", _attempts, None),
        hint_share=form.take("hint_share", _share, 0),
        feedback=form.take("feedback", _one_of(FEEDBACK), "full"),
        reveal_at=reveal,
        solution=form.take("solution", _one_of(SOLUTION), "usual"),
        reserved=form.text("reserved") in ("1", "on", "yes", "true"),
    )
    _order(form, policy)
    found = None if form.complaints else policy
    return Read(found, form.complaints, tuple(form.notes))


def _order(form: _Form, policy: Policy) -> None:
    """Dates that contradict each other, where each of them could be read."""
    said = form.complaints
    if "opens_at" not in said and "due_at" not in said and policy.opens_at > policy.due_at:
        said["due_at"] = "This is due before it opens."
    if "due_at" not in said and "closes_at" not in said and policy.closes_at < policy.due_at:
        said["closes_at"] = "This closes before it is due."
    if policy.reveal_at and "reveal_at" not in said and policy.reveal_at < policy.opens_at:
        said["reveal_at"] = "Results can't be out before it opens."


def _one_of(words: tuple[Given, ...]) -> Callable[[str], Given]:
    """Reads one of some words; empty means the first."""

    def read(text: str) -> Given:
        found = next((word for word in words if word == text), None)
        if text and found is None:
            raise ValueError(f"Choose one of: {', '.join(map(str, words))}.")
        return words[0] if found is None else found

    return read


def _number(text: str) -> Fraction:
    """A decimal number with a point or a comma. Raises ValueError."""
    text = text.replace(",", ".", 1)
    if len(text) > 12 or not text.replace(".", "", 1).lstrip("+-").isdecimal():
        raise ValueError("Write a number.")
    return Fraction(text)


def _points(text: str) -> int:
    """Points in hundredths."""
    found = _number(text) * POINT
    if found <= 0 or found > MOST_POINTS * POINT:
        raise ValueError(f"Points are more than 0 and at most {MOST_POINTS:,}.")
    if found.denominator != 1:
        raise ValueError("Points have at most two decimals.")
    return int(found)


def read_points(text: str) -> int:
    """Points set by hand, in hundredths; none at all is allowed here. Raises ValueError."""
    found = _number(text) * POINT
    if not 0 <= found <= MOST_POINTS * POINT or found.denominator != 1:
        raise ValueError(f"Points are from 0 to {MOST_POINTS:,}, with at most two decimals.")
    return int(found)


def _share(text: str) -> int:
    """A share in ten-thousandths, from per cent; empty is none."""
    found = _number(text.rstrip("% ")) * WHOLE / 100 if text else Fraction(0)
    if found < 0 or found > WHOLE:
        raise ValueError("Choose between 0 and 100 per cent.")
    if found.denominator != 1:
        raise ValueError("Per cents have at most two decimals.")
    return int(found)


def _attempts(text: str) -> int | None:
    if not text:
        return None
    is_number = text.isdecimal() and len(text) < 9
    if not is_number or not 1 <= int(text) <= MOST_ATTEMPTS:
        raise ValueError(f"Choose a whole number from 1 to {MOST_ATTEMPTS:,}, or leave it empty.")
    return int(text)


def fields_of(policy: Policy, where: ZoneInfo) -> dict[str, str]:
    """What the form's fields hold for a policy; `read` gives the policy back."""
    return {
        "points": plain(Fraction(policy.points, POINT)),
        "opens_at": as_entered(policy.opens_at, where),
        "due_at": as_entered(policy.due_at, where),
        "closes_at": as_entered(policy.closes_at, where),
        "late": policy.late,
        "late_share": plain(Fraction(policy.late_share * 100, WHOLE)),
        "scoring": policy.scoring,
        "counts": policy.counts,
        "attempts": "" if policy.attempts is None else str(policy.attempts),
        "hint_share": plain(Fraction(policy.hint_share * 100, WHOLE)),
        "feedback": policy.feedback,
        "reveal_at": as_entered(policy.reveal_at, where) if policy.reveal_at else "",
        "solution": policy.solution,
        "reserved": "on" if policy.reserved else "",
    }
