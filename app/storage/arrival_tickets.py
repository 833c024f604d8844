"""Tickets of people whom a campus brought in."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, insert, select

from app.model import LearnerId
from app.model.campuses import Ticket
from app.model.classes import AccountId
from app.storage.database import Database
from app.storage.schema_lti import lti_tickets

MOST_TICKETS = 20_000
"""Tickets kept at once: where there are more, the one that ends first is forgotten."""


class SqlTickets:
    """The port `KeptTickets` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, ticket: Ticket, now: datetime) -> None:
        """Keep a ticket; those that are good no more and the oldest of too many are forgotten."""
        last_first = select(lti_tickets.c.token_hash).order_by(lti_tickets.c.expires_at.desc())
        too_many = last_first.offset(MOST_TICKETS - 1)
        with self._database.write() as connection:
            connection.execute(delete(lti_tickets).where(lti_tickets.c.expires_at <= now))
            connection.execute(delete(lti_tickets).where(lti_tickets.c.token_hash.in_(too_many)))
            connection.execute(insert(lti_tickets).values(vars(ticket)))

    def look(self, token_hash: bytes, now: datetime) -> Ticket | None:
        """A ticket that is good; it stays good."""
        good = (lti_tickets.c.token_hash == token_hash) & (lti_tickets.c.expires_at > now)
        with self._database.read() as connection:
            row = connection.execute(select(lti_tickets).where(good)).first()
        return None if row is None else _ticket(row)

    def take(self, token_hash: bytes, now: datetime) -> Ticket | None:
        """A ticket that is good, and is good no more: of two who take it, one has it."""
        good = (lti_tickets.c.token_hash == token_hash) & (lti_tickets.c.expires_at > now)
        with self._database.write() as connection:
            row = connection.execute(delete(lti_tickets).where(good).returning(lti_tickets)).first()
        return None if row is None else _ticket(row)

    def forget(self, now: datetime) -> None:
        """Forget those that are good no more."""
        with self._database.write() as connection:
            connection.execute(delete(lti_tickets).where(lti_tickets.c.expires_at <= now))


def _ticket(row: Row[Any]) -> Ticket:
    return Ticket(
        row.token_hash,
        row.registration,
        row.path,
        row.then,
        row.launch,
        row.expires_at,
        row.course,
        None if row.learner is None else LearnerId(row.learner),
        None if row.account is None else AccountId(row.account),
    )
