"""What an assignment asks of one learner: its terms, and the sentence everybody reads."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from zoneinfo import ZoneInfo

from app.classroom.dates import GRACE, day_in_words, in_words, place
from app.model.classes import POINT, WHOLE, Extension, Policy

FEEDBACK = {
    "full": "",
    "visible": "Hidden tests: what they probe and whether they pass.",
    "count": "Hidden tests: only how many pass. No hints.",
    "none": "Hidden tests: nothing until the results are out. No hints.",
}


@dataclass(frozen=True)
class Terms:
    """The dates and tries that hold for one learner, after their extension."""

    opens_at: datetime
    due_at: datetime
    closes_at: datetime
    attempts: int | None = None
    excused: bool = False
    extended: bool = False

    def open_at(self, now: datetime) -> bool:
        """Whether work of this moment counts; the last minute is a minute longer than it says."""
        return self.opens_at <= now <= self.closes_at + GRACE

    def late_at(self, now: datetime) -> bool:
        """Whether work of this moment is late."""
        return now > self.due_at + GRACE


def terms(policy: Policy, extension: Extension | None = None) -> Terms:
    """The dates and tries after an extension; a later due date never closes before it is due."""
    given = extension.due_at if extension else None
    due = given or policy.due_at
    closes = policy.due_at if policy.late == "refuse" else policy.closes_at
    if extension and extension.closes_at:
        closes = extension.closes_at
    elif given:
        closes = given if policy.late == "refuse" else max(closes, given)
    attempts = policy.attempts
    if extension and extension.attempts is not None:
        attempts = extension.attempts
    moved = extension is not None and (
        given is not None or extension.closes_at is not None or extension.attempts is not None
    )
    return Terms(
        policy.opens_at,
        due,
        max(due, closes),
        attempts,
        excused=extension is not None and extension.excused,
        extended=moved,
    )


def sentence(policy: Policy, where: ZoneInfo, extension: Extension | None = None) -> str:
    """What learners read above their code: due, late, tries, hints, what counts, feedback.

    "Due Fri 5 Dec, 23:59 (Berlin). After that −10 % a day until 12 Dec. 10 tries. …"
    """
    held = terms(policy, extension)
    if held.excused:
        return "You are excused from this one."
    said = [
        f"Due {in_words(held.due_at, where)} ({place(where.key)}).",
        _late(policy, held, where),
        _tries(held.attempts),
        f"Each hint costs {percent(policy.hint_share)}." if policy.hint_share else "",
        "Only all tests passed counts." if policy.scoring == "all" else "",
        "Best try counts." if policy.counts == "best" else "Last try counts.",
        FEEDBACK[policy.feedback],
        "The solution opens after closing." if policy.solution == "after" else "",
    ]
    return " ".join(part for part in said if part)


def _late(policy: Policy, held: Terms, where: ZoneInfo) -> str:
    if held.closes_at <= held.due_at:
        return "Nothing counts after that."
    until = day_in_words(held.closes_at, where)
    if policy.late == "per_day" and policy.late_share:
        return f"After that −{percent(policy.late_share)} a day until {until}."
    return f"Late tries count in full until {until}."


def _tries(attempts: int | None) -> str:
    if attempts is None:
        return "As many tries as you like."
    return "1 try." if attempts == 1 else f"{attempts} tries."


def percent(share: int) -> str:
    """A share in ten-thousandths as people write it: "5 %", "12.5 %"."""
    return f"{plain(Fraction(share * 100, WHOLE))} %"


def points(hundredths: int) -> str:
    """Points as people write them: "10", "7.6", "5.07"."""
    return plain(Fraction(hundredths, POINT))


def plain(number: Fraction) -> str:
    """A number of at most two decimals without trailing zeros."""
    whole = round(number * 100)
    text = f"{whole // 100}.{whole % 100:02}" if whole >= 0 else f"-{plain(-number)}"
    return text.rstrip("0").rstrip(".") if "." in text else text
