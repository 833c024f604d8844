"""What the callers of the same runners agree on: which of them none uses before a person looked.

What one process shuts out, all others leave alone at their next look, and what is let in on
one operator's page is let in everywhere. A process alone agrees with itself.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import cast, get_args

import structlog

from app.ports import StoreAway
from app.ports.runners import RunnerId, ShutRunners
from app.sandbox.standing import Reason, Standing

log = structlog.get_logger()


class Agreement:
    """Safe to use from several threads; what can't be shared now is shared at a later look."""

    def __init__(self, shared: ShutRunners | None = None) -> None:
        self._shared = shared
        self._seen: set[RunnerId] = set()  # those that are on the list, as far as known here
        self._lock = threading.Lock()

    def tell(self, runner: RunnerId, standing: Standing) -> None:
        """This process has shut one out."""
        if self._shared is None or standing.reason is None:
            return
        try:
            self._shared.shut(runner, standing.reason)
        except StoreAway as away:
            log.warning("shut_runner_not_shared", runner=str(runner), reason=str(away))
        else:
            with self._lock:
                self._seen.add(runner)

    def let_in(self, runner: RunnerId) -> bool:
        """Take it off the list for all; whether it was on it. Raises StoreAway."""
        with self._lock:
            self._seen.discard(runner)
        return self._shared is not None and self._shared.let_in(runner)

    def changes(self, known: Mapping[RunnerId, Standing]) -> dict[RunnerId, Standing]:
        """The standings that others have changed; what only this process has shut is told anew."""
        if self._shared is None:
            return {}
        with self._lock:
            before = set(self._seen)  # what is shared from here on may not be among what is read
        try:
            shut = self._shared.all()
        except StoreAway as away:
            log.warning("shut_runners_not_read", reason=str(away))
            return {}
        with self._lock:
            let_in = before - shut.keys()
            self._seen = (self._seen - let_in) | shut.keys()
            unshared = known.keys() - self._seen - let_in
        for runner in unshared:
            if known[runner].shut:
                self.tell(runner, known[runner])
        left = {one: Standing() for one in let_in & known.keys() if known[one].shut}
        out = {one: _shut(known[one], shut[one]) for one in shut.keys() & known.keys()}
        return {**left, **{one: new for one, new in out.items() if new != known[one]}}


def _shut(standing: Standing, reason: str) -> Standing:
    """Left alone for what another process has seen; a reason of a later release is a lie as any."""
    if standing.shut:
        return standing
    known = cast("Reason", reason) if reason in get_args(Reason) else "broken"
    return replace(standing, reason=known, shut=True)
