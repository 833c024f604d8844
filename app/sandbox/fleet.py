"""The runners that a process knows: who is there, who has a free place, who is parked and why."""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace

import structlog

from app import metrics
from app.ports.operating import RunnerView
from app.ports.runners import RunnerId
from app.sandbox import slots
from app.sandbox.agreement import Agreement
from app.sandbox.known_runners import Known, count_places, is_usable, view
from app.sandbox.peer import Peer, RunnerAt, Unanswered
from app.sandbox.runner_addresses import Entry, places
from app.sandbox.software import software
from app.sandbox.standing import Reason, Standing

log = structlog.get_logger()

ASK_S = 5.0
TICK_S = 1.0
MOST_RUNNERS = 1024
DIFFER_MOST = 3
"""One of so many runners may be shut out for verdicts that differ: it may be the code that does."""


class Fleet:
    """Asks the names again every five seconds, and each runner how it is; safe for threads."""

    def __init__(
        self,
        entries: Sequence[Entry],
        trust: ssl.SSLContext | None = None,
        steady: Callable[[], float] = time.monotonic,
        agreement: Agreement | None = None,
    ) -> None:
        """Look for all runners once before it returns, and from then on in a thread."""
        self._agreement = agreement or Agreement()
        self._entries, self._trust, self._steady = entries, trust, steady
        self._known: dict[RunnerAt, Known] = {}
        self._changed = threading.Condition()
        self._gone: list[Known] = []
        self._left: dict[RunnerAt, Standing] = {}
        self._closed, self._asked_out = threading.Event(), threading.Event()
        self._asking = ThreadPoolExecutor(8, thread_name_prefix="runners")
        work = (self._keep_hanging_up, "late runners"), (self._keep_looking, "runners")
        self._threads = [threading.Thread(target=f, name=n, daemon=True) for f, n in work]
        self._threads[0].start()  # before the first look, which a runner may hold up
        self._look()
        self._threads[1].start()

    def take(
        self,
        place: slots.Place,
        leave: frozenset[RunnerAt],
        never: frozenset[RunnerId] = frozenset(),
    ) -> Known | None:
        """The runner with most room, its place counted as taken; None where none has any."""
        with self._changed:
            now = self._steady()
            free = [
                known
                for known in self._known.values()
                if known.peer.place not in leave
                and (not never or known.peer.place.id not in never)
                and not known.standing.is_parked(now)
                and known.ours[place] < known.total[place]
            ]
            if not free:
                return None
            best = min(free, key=lambda known: known.ours[place] / known.total[place])
            best.ours[place] += 1
            return best

    def give_back(self, known: Known, place: slots.Place) -> None:
        """The order has ended there."""
        with self._changed:
            known.ours[place] -= 1
            self._changed.notify()

    def answered(self, known: Known) -> None:
        """It gave an answer that fits its order."""
        with self._changed:
            known.standing = known.standing.answered()

    def failed(self, known: Known, reason: Reason, detail: str) -> None:
        """Park it for a while; what is shut out here is so for all who share the runners."""
        with self._changed:
            before = known.standing
            known.standing = after = before.failed(reason, self._steady())
        where, shut = known.peer.place, after.shut
        metrics.RUNNER_FAILURES.labels(where.name, reason).inc()
        log.warning("runner_parked", runner=where.name, reason=reason, detail=detail, shut=shut)
        if shut and not before.shut:
            self._agreement.tell(where.id, after)

    def distrust(self, runner: RunnerId, detail: str) -> bool:
        """Shut out one that two others contradict, but never more than a third of all."""
        with self._changed:
            differ = sum(known.standing.reason == "differs" for known in self._known.values())
            room = DIFFER_MOST * differ < len(self._known)
            found = [known for place, known in self._known.items() if place.id == runner]
        for known in found if room else ():
            self.failed(known, "differs", detail)
        return room and bool(found)

    def wait(self, seconds: float) -> None:
        """Until a place may be free, or for so long."""
        with self._changed:
            self._changed.wait(seconds)

    def usable(self, never: Collection[RunnerId] = ()) -> int:
        """How many runners, but for these, take orders now or will in a moment."""
        with self._changed:
            every = self._known.items()
            return sum(is_usable(known) for at, known in every if at.id not in never)

    def views(self) -> tuple[RunnerView, ...]:
        """All of them, by name."""
        with self._changed:
            found = [view(known) for known in self._known.values()]
        return tuple(sorted(found, key=lambda view: (view.name, view.address)))

    def let_in(self, name: str, address: str) -> bool:
        """Use a runner again that the operator has looked at; false where there is none such.

        All who share the runners do. Raises StoreAway.
        """
        runner = RunnerId(name, address)
        was_shut = self._agreement.let_in(runner)
        with self._changed:
            found = [known for place, known in self._known.items() if place.id == runner]
            for known in found:
                known.standing = Standing()
        return was_shut or bool(found)

    def close(self) -> None:
        """Ask no more, and let the connections go."""
        self._closed.set()
        self._threads[1].join()
        self._asking.shutdown(cancel_futures=True)
        self._asked_out.set()
        self._threads[0].join()
        for known in self._known.values():
            known.peer.close()

    # -------------------------------------------------------------- looking

    def _keep_looking(self) -> None:
        while not self._closed.wait(ASK_S):
            try:
                self._look()
            except Exception:  # the edge of a thread: it goes on, whatever it was
                log.exception("runners_not_looked_for")

    def _keep_hanging_up(self) -> None:
        while not self._asked_out.wait(TICK_S):
            with self._changed:
                every = [*self._known.values(), *self._gone]
            for known in every:
                known.peer.hang_up_late()

    def _look(self) -> None:
        """Take up new machines, forget those that are gone, and ask each how it is."""
        found = places(self._entries, tuple(self._known))
        with self._changed:
            gone = [self._known.pop(place) for place in self._known.keys() - found.keys()]
            liars = (one for one in gone if one.standing.lies or one.standing.shut)
            self._left |= {one.peer.place: one.standing for one in liars}
            for place in list(found)[:MOST_RUNNERS]:
                if place not in self._known:
                    trust = self._trust if place.scheme == "https" else None
                    before = self._left.pop(place, Standing())  # its name may have been away
                    self._known[place] = Known(Peer(place, found[place], trust), before)
            every = list(self._known.values())
            self._gone = [one for one in (*self._gone, *gone) if one.peer.is_in_use()]
        self._agree(every)
        for known in gone:
            known.peer.close()
        for known in every:  # one that is slow to say how it is holds up none of the others
            if known.asking is None or known.asking.done():
                known.asking = self._asking.submit(self._ask, known)
        wait([known.asking for known in every if known.asking is not None], ASK_S)
        count_places(every)

    def _agree(self, every: Sequence[Known]) -> None:
        """Take over what others that ask the same runners have found."""
        changes = self._agreement.changes({one.peer.place.id: one.standing for one in every})
        with self._changed:
            for one in every:
                one.standing = changes.get(one.peer.place.id, one.standing)

    def _ask(self, known: Known) -> None:
        """Ask one runner, unless it is parked for a lie: then it is not asked."""
        if known.standing.shut:
            return
        try:
            said = known.peer.ready()
            total = slots.totals(said)
        except Unanswered as failed:
            self._not_ready(known, failed.reason, str(failed))
            return
        except Exception as error:  # noqa: BLE001 (whatever it says, it troubles itself alone)
            self._not_ready(known, "broken", f"{type(error).__name__} {error}")
            return
        if said.get("software") != software():
            self._not_ready(known, "version", "another version")
            return
        with self._changed:
            known.total, known.heard = total, said.get("ready") is True
            if known.standing.reason in ("refused", "version", "silent"):
                known.standing = known.standing.answered()
            self._changed.notify_all()

    def _not_ready(self, known: Known, reason: Reason, detail: str) -> None:
        known.heard = False
        if known.standing.reason != reason:
            self.failed(known, reason, detail)
        with self._changed:  # until it is asked again, and a little longer
            standing = known.standing
            until = max(standing.until, self._steady() + ASK_S + 2 * TICK_S)
            known.standing = replace(standing, until=until, reason=reason)
