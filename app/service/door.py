"""The door: who may do what, how soon again, and how each refusal is worded."""

from __future__ import annotations

from datetime import timedelta

from app.admission import Crowd, Gate, What, retry_after
from app.model import LearnerId
from app.model.bounds import KEPT_BYTES, LEAST_FREE_BYTES
from app.records import Learner
from app.service.errors import Refused, RefusedKind
from app.service.parts import Parts
from app.service.recent_learners import RecentLearners

YOUNG = timedelta(minutes=10)
"""Learners younger than this share their address's turn, or a crowd of fresh cookies would win."""

DISK_FULL = "The disk of this server is nearly full, so nothing new can be kept just now."

TOO_MANY = "That was a lot at once. We can take more from you in a moment."


class Door:
    """Lets callers in or raises Refused; safe to use from several threads."""

    def __init__(self, parts: Parts) -> None:
        """Read rates, clocks, disk and sandbox from `parts`."""
        self._parts = parts
        self._gate = Gate(parts.allowance)
        self._crowd = Crowd()
        self._recent = RecentLearners(parts.store.learners.get, parts.steady)

    @property
    def one_address(self) -> bool:
        """Whether every learner so far came from the same address, as behind an unknown proxy."""
        return self._crowd.one_address

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
        self._admit(learner or "", address, "request")

    def admit_wrong_code(self, code: str, address: str) -> None:
        """Count a wrong recovery code, by itself and by address. Raises Refused."""
        self._admit(f"code {code}", address, "code")

    def _admit(self, who: str, address: str, what: What) -> None:
        wait = self._gate.admit(who, address, (what,), self._parts.steady())
        if wait > 0:
            raise self.refusal("too_many", wait, TOO_MANY)

    def turn(self, learner: Learner, address: str) -> str:
        """Whose turn this learner takes: their own, or while young their address's."""
        if self._parts.rulebook.enrolled(learner.id):
            return learner.id
        young = learner.created_at is None or self._parts.now() - learner.created_at < YOUNG
        return f"address {address}" if young and address else learner.id

    def admit(self, learner: Learner, address: str, what: What, *, writes: bool = True) -> None:
        """Let a learner in, or raise Refused; a first write makes a new learner.

        What writes needs free disk, however little it is: it is refused before the disk is full.
        """
        if writes:
            self.check_disk()
        if self._parts.rulebook.enrolled(learner.id):
            address = ""  # a lecture hall is one address: only their own rates count for them
        self._crowd.saw(learner.id, address)
        first = writes and learner.created_at is None
        whats: tuple[What, ...] = (what, "learner") if first else (what,)
        wait = self._gate.admit(learner.id, address, whats, self._parts.steady())
        if wait > 0:
            raise self.refusal("too_many", wait, TOO_MANY)

    def check_sandbox(self) -> None:
        """Raise Refused("not_ready") where a required layer of the sandbox is missing."""
        missing = [x.name for x in self._parts.sandbox.layers() if x.required and not x.present]
        if missing:
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
