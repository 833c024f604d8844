"""How a runner stands with its caller: in use, parked for a while, or until the operator looks.

What fails is left alone for 0.5 s, then for twice as long each time, up to a minute: else a dead
runner would be the quickest to take orders. What answered with anything else than an answer three
times in an hour is not asked again before a person has looked at it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

FIRST_S = 0.5
LONGEST_S = 60.0
LIES = 3
LIES_S = 3600.0

Reason: TypeAlias = Literal[
    "refused", "died", "cut", "silent", "fault", "token", "version", "broken", "late", "differs"
]
"""Why an order was not answered. The last three are those of a runner that is not believed."""

LYING = frozenset({"broken", "late", "differs"})

WORDS: dict[Reason, str] = {
    "refused": "does not answer",
    "died": "ended under an order",
    "cut": "was cut off in the middle of an order or an answer",
    "silent": "was silent for three seconds",
    "fault": "says that its jail failed",
    "token": "does not take our token",
    "version": "is another version",
    "broken": "gave what is no answer",
    "late": "took longer than its order allows",
    "differs": "gave another verdict than two others",
}


@dataclass(frozen=True)
class Standing:
    """Failures in a row, the moments of lies, and until when it is parked, by a steady clock."""

    failures: int = 0
    lies: tuple[float, ...] = ()
    until: float = 0.0
    reason: Reason | None = None
    shut: bool = False

    def failed(self, reason: Reason, now: float) -> Standing:
        """After an order that it did not answer."""
        wait_s = min(LONGEST_S, FIRST_S * 2**self.failures)
        lies = tuple(at for at in self.lies if at > now - LIES_S)
        if reason in LYING:
            lies = (*lies, now)
        shut = self.shut or len(lies) >= LIES or reason == "differs"
        failures = min(self.failures + 1, 16)
        return Standing(failures, lies, now + wait_s, reason, shut)

    def answered(self) -> Standing:
        """After an answer that fits its order; neither lies nor being shut are forgotten for it."""
        if self.shut or self == Standing():
            return self
        return replace(self, failures=0, until=0.0, reason=None)

    def is_parked(self, now: float) -> bool:
        """Whether it gets no order now."""
        return self.shut or now < self.until

    def said(self) -> str:
        """Why it is parked, "" where it is not."""
        return "" if self.reason is None else WORDS[self.reason]
