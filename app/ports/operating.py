"""What the operator's page asks of runners and of the queue, and the rows it gets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class RunnerView:
    """A runner as a page or `doctor` shows it; `name` is the host's word for it.

    `parked` says why it gets no orders now, "" where it does; `shut`: until the operator looks.
    """

    name: str
    address: str
    fast: int
    slow: int
    busy: int
    parked: str
    shut: bool


@dataclass(frozen=True)
class ParkedView:
    """A submission that could not be judged, why, and which runners were asked last."""

    submission: str
    tries: int
    reason: str
    runners: str
    at: datetime


@dataclass(frozen=True)
class DifferingView:
    """A submission that runners gave different verdicts: which each gave, and what follows."""

    submission: str
    result: str
    opinions: str
    at: datetime


def _none_let_in(name: str, address: str) -> bool:
    return False


def _none_tried(only: Sequence[str] | None) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True)
class Operations:
    """What a host sees and does; a server alone has no runner and parks nothing.

    `let_in` uses a runner again, false where there is none such. `retry` puts parked submissions
    into the queue again, all of them for None. All but `runners` may raise StoreAway.
    """

    runners: Callable[[], tuple[RunnerView, ...]] = tuple
    let_in: Callable[[str, str], bool] = _none_let_in
    parked: Callable[[], tuple[ParkedView, ...]] = tuple
    retry: Callable[[Sequence[str] | None], tuple[str, ...]] = _none_tried
    differing: Callable[[], tuple[DifferingView, ...]] = tuple
