"""The door: who may do what, how soon again, and how each refusal is worded."""

from __future__ import annotations

from concurrent.futures import Future
from datetime import timedelta
from typing import Any

from app.admission import Gate, SharedAddress, What, retry_after
from app.model import LearnerId
from app.model.bounds import KEPT_BYTES, LEAST_FREE_BYTES
from app.records import Learner
from app.service.errors import DISK_FULL, Refused, RefusedKind
from app.service.newcomers import Newcomers
from app.service.open_runs import OpenRuns
from app.service.parts import Parts
from app.service.recent_learners import RecentLearners

YOUNG = timedelta(minutes=10)
"""From this age on, a learner has a turn of their own in any case."""

TOO_MANY = "That was a lot at once. We can take more from you in a moment."
TOO_MANY_HERE = (
    "A lot is coming from your network right now, not only from you. We can take more in a moment."
)
TOO_MANY_NEW = (
    "Many new visitors came from your network in the last hour. Open the exercise's page once, so "
    "that your browser keeps the cookie that tells you apart, and try again."
)
STILL_RUNNING = "Your last runs are still going. Wait for one of them to end."


class Door:
    """Lets callers in or raises Refused; safe to use from several threads."""

    def __init__(self, parts: Parts) -> None:
        """Read rates, clocks, disk and sandbox from `parts`."""
        self._parts = parts
        self._gate = Gate(parts.allowance)
        self._newcomers = Newcomers(self._gate)
        self._open_runs = OpenRuns(parts.allowance)
        self._shared_address = SharedAddress()
        self._recent = RecentLearners(parts.store.learners.get, parts.steady)

    @property
    def one_address(self) -> bool:
        """Whether every learner so far came from the same address, as behind an unknown proxy."""
        return self._shared_address.one_address

    def learner(self, learner: LearnerId) -> Learner:
        """Who this is; where two learners were joined, the one that has the work now."""
        return self._recent.get(learner)

    def is_recent(self, learner: LearnerId) -> bool:
        """Whether the learner was looked up a moment ago and was not joined to another."""
        return self._recent.knows(learner)

    def forget_learners(self) -> None:
        """Look learners up again: one was renamed, or joined with another."""
        self._recent.forget()

    def admit_request(self, learner: LearnerId | None, address: str) -> None:
        """Count a request of any kind. Raises Refused where they are too many."""
        self._admit(learner or "", address, "request", guest=learner is None)

    def admit_wrong_code(self, code: str, address: str) -> None:
        """Count a wrong recovery code, by itself and by address. Raises Refused."""
        self._admit(f"code {code}", address, "code")

    def _admit(self, who: str, address: str, what: What, *, guest: bool = False) -> None:
        now = self._parts.steady()
        admitted = self._gate.ask(who, address, (what,), now, guest=guest)
        if admitted.wait_s > 0:
            words = TOO_MANY_HERE if admitted.shared else TOO_MANY
            raise self.refusal("too_many", admitted.wait_s, words)

    def came_back(self, learner: LearnerId, address: str) -> None:
        """A learner's cookie came along with a request: they get a turn of their own."""
        self._newcomers.came_back(learner, address, self._parts.steady())

    def turn(self, learner: Learner, address: str) -> str:
        """Whose turn this learner takes: their own, or as a guest their address's."""
        return f"address {address}" if self.is_guest(learner, address) else learner.id

    def is_guest(self, learner: Learner, address: str) -> bool:
        """Whether it is somebody behind an address, in no class, who has shown no cookie."""
        if not address or learner.id in self._newcomers:
            return False
        if self._parts.rulebook.enrolled(learner.id):
            return False
        made = learner.created_at
        return made is None or self._parts.now() - made < YOUNG

    def admit(self, learner: Learner, address: str, what: What, *, writes: bool = True) -> None:
        """Let a learner in, or raise Refused; a first write makes a new learner.

        What writes needs free disk, however little it is: it is refused before the disk is full.
        """
        if writes:
            self.check_disk()
        if self._parts.rulebook.enrolled(learner.id):
            address = ""  # a lecture hall is one address: only their own rates count for them
        self._shared_address.saw(learner.id, address)
        guest = self.is_guest(learner, address)
        now = self._parts.steady()
        admitted = self._gate.ask(learner.id, address, (what,), now, guest=guest)
        if admitted.wait_s > 0:
            words = TOO_MANY_HERE if admitted.shared else TOO_MANY
            raise self.refusal("too_many", admitted.wait_s, words)
        if guest and writes and learner.created_at is None:
            wait = self._gate.admit(learner.id, address, ("learner",), now)
            if wait > 0:
                raise self.refusal("too_many", wait, TOO_MANY_NEW)

    def open_run(self, learner: Learner, address: str) -> str:
        """The turn of one more open run, which `closes_with` ends. Raises Refused("too_many")."""
        turn, guest = self.turn(learner, address), self.is_guest(learner, address)
        if not self._open_runs.reserve(turn, address, guest=guest):
            raise self.refusal("too_many", 2, TOO_MANY_HERE if guest else STILL_RUNNING)
        return turn

    def closes_with(self, turn: str, address: str, future: Future[Any]) -> None:
        """A run that `open_run` let in is open until this future is done."""
        self._open_runs.until_done(turn, address, future)

    def check_jail(self, *, now: bool) -> None:
        """Raise Refused("not_ready") where a required layer of the sandbox is missing.

        What is not to be run `now` may wait in a shared queue until a runner is there; it needs
        the house jail only.
        """
        waits = self._parts.judge is not None and not now
        jail = self._parts.house if waits else self._parts.sandbox
        if any(layer.required and not layer.present for layer in jail.layers()):
            message = "This server can't judge code safely yet. Its host has to look at it."
            raise self.refusal("not_ready", 30, message)

    def check_disk(self) -> None:
        """Raise Refused("disk_full") where so little is left that nothing more may be kept."""
        if self._parts.free_bytes(self._parts.data) < LEAST_FREE_BYTES:
            raise self.refusal("disk_full", 30, DISK_FULL)

    def check_length(self, source: bytes, most: int = KEPT_BYTES) -> None:
        """Raise Refused("too_long") for a text beyond what is ever kept."""
        if len(source) > most:
            message = f"This text has {len(source):,} bytes; the most we keep is {most:,}."
            raise Refused("too_long", 0, message)

    def refusal(self, kind: RefusedKind, wait_s: float, message: str) -> Refused:
        """A refusal to raise; the seconds to stay away are spread, so that not all come at once."""
        return Refused(kind, retry_after(wait_s, self._parts.chance()), message)
