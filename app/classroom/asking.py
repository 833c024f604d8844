"""What Submit asks once, in the page: before the first late try, and before the last one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from app.classroom.dates import days_late
from app.classroom.grades import Grade, late_cost
from app.classroom.policy import percent, points
from app.model.classes import WHOLE, Policy, Try


@dataclass(frozen=True)
class Question:
    """`fact` is what this try would change, `rest` what stays, `yes` the words of the button."""

    fact: str
    rest: str
    yes: str


def question(
    policy: Policy, found: Grade, last: Try | None, now: datetime, where: ZoneInfo
) -> Question | None:
    """What to ask before a try of this moment; None where nothing is to be asked.

    `last` is the learner's latest try: once it was late, lateness is no news.
    """
    held = found.terms
    if held.excused or not held.open_at(now):
        return None
    late = held.late_at(now) and not (last is not None and held.late_at(last.at))
    final = found.attempts_left == 1
    if late:
        cost = _cost(policy, days_late(now, held.due_at, where))
        also = " It is also your last try." if final else ""
        fact = f"This try would be the first late one: {cost}."
        return Question(fact, f"{_kept(policy, found)}{also}", "Submit it late")
    if final:
        return Question("This is your last try.", "A run of the examples uses up none.", "Use it")
    return None


def _cost(policy: Policy, days: int) -> str:
    """What a try so many days late loses."""
    lost = late_cost(policy, days)
    return f"−{percent(min(WHOLE, lost))}" if lost else "it counts in full"


def _kept(policy: Policy, found: Grade) -> str:
    """What becomes of the points there are."""
    if found.computed is None or found.held:
        return "The best try counts." if policy.counts == "best" else "The last try counts."
    before = points(found.computed.points)
    if policy.counts == "best":
        return f"Your on-time try keeps its {before} points; the better one counts."
    return f"The last try counts, so it takes the place of your {before} points."
