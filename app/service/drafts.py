"""Drafts: what a learner types, kept on every device and never merged."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from app.model import LearnerId, Slug
from app.model.bounds import DRAFT_BYTES
from app.ports import DraftStore
from app.records import Draft, Drafts
from app.service.door import Door
from app.service.exercises import Exercises
from app.service.tokens import Sequence


@dataclass(frozen=True)
class DraftBox:
    """Keeps texts as they are typed."""

    exercises: Exercises
    door: Door
    store: DraftStore
    ids: Sequence
    now: Callable[[], datetime]

    def save(
        self,
        learner: LearnerId,
        slug: Slug,
        source: bytes,
        *,
        base: str | None,
        device: str,
        address: str = "",
    ) -> Drafts:
        """Keep a text as it is typed; `base` is the version it grew out of, `device` a tab's id.

        Texts are never merged: one that did not grow out of the others stands beside them, and
        the newest is the one to open. Raises NoSuchExercise and Refused.
        """
        who = self.door.learner(learner)
        exercise = self.exercises.get_for(who.id, slug)
        self.door.check_length(source, DRAFT_BYTES)
        self.door.admit(who, address, "write")
        draft = Draft(exercise.slug, source, self.ids.next(), _device(device), self.now())
        return self.store.save(who.id, draft, base)

    def all(self, learner: LearnerId, slug: Slug) -> Drafts:
        """The text to open and the others, newest first."""
        return self.store.all(learner, self.exercises.get_for(learner, slug).slug)

    def drop(self, learner: LearnerId, slug: Slug, version: str, *, address: str = "") -> None:
        """Forget one text, at the learner's wish. Raises Refused."""
        self.door.admit(self.door.learner(learner), address, "write", writes=False)
        self.store.drop(learner, slug, version)


def _device(device: str) -> str:
    """A tab's own id may be anything; what is kept of it is short and plain."""
    if 0 < len(device) <= 64 and device.isascii() and device.isprintable():
        return device
    return hashlib.sha256(device.encode("utf-8", "surrogatepass")).hexdigest()
