"""The time you pressed counts: a token for who was refused at the deadline by a full house."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from app.model import LearnerId, Slug
from app.service.tokens import same, signed

LASTS = timedelta(minutes=15)


@dataclass(frozen=True)
class AttemptTokens:
    """Signs learner, exercise, source and time; good for a quarter of an hour."""

    secret: bytes

    def made(self, learner: LearnerId, slug: Slug, source: bytes, at: datetime) -> str:
        """A token that says when this source was sent."""
        seconds = f"{at.timestamp():.3f}"
        return f"{seconds}~{self._sign(learner, slug, source, seconds)}"

    def read(
        self, token: str, learner: LearnerId, slug: Slug, source: bytes, now: datetime
    ) -> datetime | None:
        """When it was sent at first; None for a token of something else, or one too old."""
        seconds, _, mac = token[:100].partition("~")
        if not same(mac, self._sign(learner, slug, source, seconds)):
            return None
        at = datetime.fromtimestamp(float(seconds), UTC)
        return at if timedelta(0) <= now - at <= LASTS else None

    def _sign(self, learner: LearnerId, slug: Slug, source: bytes, seconds: str) -> str:
        text = hashlib.sha256(source).hexdigest()
        about = "\x00".join((learner, slug, text, seconds)).encode("utf-8", "surrogatepass")
        return signed(self.secret, "attempt", about)
