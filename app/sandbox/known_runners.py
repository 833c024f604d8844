"""One runner as its callers know it: what it said, what it works on for us, how it stands."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from app import metrics
from app.ports.operating import RunnerView
from app.sandbox import slots
from app.sandbox.peer import Peer
from app.sandbox.standing import Standing


@dataclass
class Known:
    """A runner, what it said of itself, what it works on for us, and how it stands."""

    peer: Peer
    standing: Standing = Standing()
    total: dict[slots.Place, int] = field(default_factory=lambda: {"fast": 1, "slow": 1})
    ours: dict[slots.Place, int] = field(default_factory=lambda: {"fast": 0, "slow": 0})
    heard: bool = False
    asking: Future[None] | None = None


def is_usable(known: Known) -> bool:
    """Whether it takes orders now, or will in a moment."""
    return known.heard and not known.standing.shut


def view(known: Known) -> RunnerView:
    """As a page shows it."""
    place, standing = known.peer.place, known.standing
    total, busy = known.total, sum(known.ours.values())
    return RunnerView(
        place.name,
        place.address,
        total["fast"],
        total["slow"],
        busy,
        "" if is_usable(known) and not standing.reason else standing.said(),
        standing.shut,
    )


def count_places(every: Sequence[Known]) -> None:
    """Offer the places of all at /metrics, by runner and state."""
    busy: dict[tuple[str, str], int] = {}
    for known in every:
        name, usable = known.peer.place.name, is_usable(known)
        taken = sum(known.ours.values())
        total = sum(known.total.values())
        for state, number in (
            ("busy", taken),
            ("free", total - taken if usable else 0),
            ("parked", 0 if usable else total),
        ):
            busy[name, state] = busy.get((name, state), 0) + number
    for (name, state), number in busy.items():
        metrics.RUNNER_SLOTS.labels(name, state).set(number)
