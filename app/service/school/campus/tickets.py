"""Tickets: what a page after a launch may go on with once, within some minutes.

They are kept in the database, so that any web process takes what another gave out.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import datetime, timedelta

from app.classroom import kept_launch
from app.model.campuses import Then, Ticket
from app.service.school.campus.arrivals import Arrived
from app.service.school.campus.framed_sessions import FramedSessions
from app.service.school.parts import SchoolParts
from app.service.tokens import token_hash

TICKET_LASTS = timedelta(minutes=5)
PAGE_LASTS = timedelta(hours=1)


class Tickets:
    """The use cases around tickets."""

    def __init__(self, parts: SchoolParts, sessions: FramedSessions) -> None:
        self._parts = parts
        self._sessions = sessions
        self._kept = parts.school.campus.tickets
        self._courses = parts.school.campus.courses

    def make(self, arrived: Arrived) -> str:
        """A ticket for the page after the launch: good once, for some minutes."""
        return self._keep(arrived, self._parts.now() + TICKET_LASTS)

    def for_page(self, arrived: Arrived) -> str:
        """A ticket for a page with a form, which people take their time for."""
        return self._keep(arrived, self._parts.now() + PAGE_LASTS)

    def give_back(self, ticket: str, came: Arrived) -> None:
        """Make a page's ticket that was taken good again: nothing came of it."""
        self._keep(came, self._parts.now() + PAGE_LASTS, ticket)

    def _keep(self, arrived: Arrived, until: datetime, ticket: str = "") -> str:
        ticket = ticket or secrets.token_urlsafe(24)
        course, account = arrived.course, arrived.account
        kept = Ticket(
            token_hash(ticket),
            arrived.registration.id,
            arrived.path,
            arrived.then,
            kept_launch.written(arrived.launch),
            until,
            None if course is None else course.id,
            arrived.learner,
            None if account is None else account.id,
        )
        self._kept.keep(kept, self._parts.now())
        return ticket

    def look(self, ticket: str) -> Arrived | None:
        """Whose ticket this is; it stays good. None where their campus or account was shut."""
        return self._arrived(self._kept.look(token_hash(ticket), self._parts.now()))

    def take(self, ticket: str) -> Arrived | None:
        """Whose ticket this is; it is good no more. None where their campus or account was shut."""
        return self._arrived(self._kept.take(token_hash(ticket), self._parts.now()))

    def _arrived(self, kept: Ticket | None) -> Arrived | None:
        """Somebody who came in, as their campus, course and account are now."""
        if kept is None:
            return None
        registration = self._sessions.let_in(kept.registration)
        account = None if kept.account is None else self._sessions.enabled(kept.account)
        if registration is None or (kept.account is not None and account is None):
            return None
        return Arrived(
            registration,
            kept_launch.read(kept.launch),
            kept.path,
            kept.then,
            None if kept.course is None else self._courses.get(kept.course),
            kept.learner,
            account,
        )

    def next_page(self, came: Arrived, then: Then) -> str:
        """A ticket for the page that follows one, for who came in with the same launch."""
        return self.for_page(replace(came, then=then))

    def sweep(self) -> None:
        """Forget the tickets that are good no more."""
        self._kept.forget(self._parts.now())
