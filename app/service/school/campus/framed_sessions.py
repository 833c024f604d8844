"""Sessions of people a campus signed in: in its frame, or in a tab that it opened."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta

from app.model import LearnerId
from app.model.campuses import Registration
from app.model.classes import Account, AccountId, Session
from app.service.school.campus.arrivals import Arrived
from app.service.school.parts import SchoolParts
from app.service.tokens import token_hash

LEARNER_LASTS = timedelta(days=180)
STAFF_LASTS = timedelta(hours=12)


@dataclass(frozen=True)
class FramedSession:
    """Who a campus signed in in this browser, and which sites may show their pages."""

    registration: Registration
    learner: LearnerId | None = None
    account: Account | None = None


class FramedSessions:
    """The use cases around being signed in by a campus."""

    def __init__(self, parts: SchoolParts) -> None:
        self._parts = parts

    def open(self, arrived: Arrived) -> tuple[str, int]:
        """Sign somebody in in their browser: the cookie's value and how long it lasts, seconds."""
        token, now = secrets.token_urlsafe(32), self._parts.now()
        lasts = STAFF_LASTS if arrived.account is not None else LEARNER_LASTS
        account = None if arrived.account is None else arrived.account.id
        learner = arrived.learner if account is None else None
        session = Session(account, now, now, now + lasts, learner, arrived.registration.id, True)
        self._parts.school.sign_ins.open(token_hash(token), session)
        return token, int(lasts.total_seconds())

    def get(self, token: str) -> FramedSession | None:
        """Who a cookie's token is; None where it ended or the campus was switched off."""
        kept = self._parts.school.sign_ins.get(token_hash(token))
        if kept is None or kept.registration is None or kept.expires_at <= self._parts.now():
            return None
        registration = self.let_in(kept.registration)
        if registration is None:
            return None
        if kept.account is None:
            return FramedSession(registration, learner=kept.learner)
        account = self.enabled(kept.account)
        return None if account is None else FramedSession(registration, account=account)

    def let_in(self, registration: str) -> Registration | None:
        """A campus, unless it was switched off."""
        found = self._parts.school.campus.registrations.get(registration)
        return found if found is not None and found.state == "active" else None

    def enabled(self, account: AccountId) -> Account | None:
        """An account, unless it was shut."""
        found = self._parts.school.accounts.get(account)
        return found if found is not None and found.disabled_at is None else None
