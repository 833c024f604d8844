"""Accounts of staff, links that set a first password, and sessions."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from app.model import LearnerId
from app.model.bounds import SESSIONS
from app.model.classes import Account, AccountId, Session
from app.ports.classes import Taken
from app.storage.database import Database
from app.storage.schema_classes import account_links, accounts, sessions


class SqlAccounts:
    """The port `Accounts` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, account: Account) -> None:
        """Keep a new account. Raises Taken where the login is somebody's."""
        try:
            with self._database.write() as connection:
                connection.execute(insert(accounts).values(id=account.id, **_values(account)))
        except IntegrityError as error:
            raise Taken(account.login) from error

    def get(self, account: AccountId) -> Account | None:
        """One account."""
        with self._database.read() as connection:
            row = connection.execute(select(accounts).where(accounts.c.id == account)).first()
        return None if row is None else _account(row)

    def by_login(self, login: str) -> Account | None:
        """The account of a login."""
        with self._database.read() as connection:
            row = connection.execute(select(accounts).where(accounts.c.login == login)).first()
        return None if row is None else _account(row)

    def all(self) -> tuple[Account, ...]:
        """All accounts, by name."""
        with self._database.read() as connection:
            rows = connection.execute(select(accounts).order_by(accounts.c.name, accounts.c.id))
            return tuple(_account(row) for row in rows)

    def save(self, account: Account) -> None:
        """Change name, login, host and whether it is disabled. Raises Taken."""
        try:
            with self._database.write() as connection:
                connection.execute(
                    update(accounts).where(accounts.c.id == account.id).values(**_values(account))
                )
        except IntegrityError as error:
            raise Taken(account.login) from error

    def password(self, account: AccountId) -> str | None:
        """The hash of the password, or None where none was ever set."""
        query = select(accounts.c.password).where(accounts.c.id == account)
        with self._database.read() as connection:
            return connection.execute(query).scalar()

    def set_password(self, account: AccountId, password: str) -> None:
        """Keep a password's hash; every session of the account ends."""
        with self._database.write() as connection:
            connection.execute(
                update(accounts).where(accounts.c.id == account).values(password=password)
            )
            connection.execute(delete(sessions).where(sessions.c.account == account))

    def add_link(
        self, token_hash: bytes, account: AccountId, at: datetime, until: datetime
    ) -> None:
        """Keep a link; earlier unused ones of the account are good no more."""
        with self._database.write() as connection:
            connection.execute(
                delete(account_links).where(
                    account_links.c.account == account,
                    account_links.c.used_at.is_(None) | (account_links.c.expires_at <= at),
                )
            )
            connection.execute(
                insert(account_links).values(
                    token_hash=token_hash, account=account, made_at=at, expires_at=until
                )
            )

    def link(self, token_hash: bytes, now: datetime) -> AccountId | None:
        """Whose unused link this is."""
        query = select(account_links.c.account).where(
            account_links.c.token_hash == token_hash,
            account_links.c.used_at.is_(None),
            account_links.c.expires_at > now,
        )
        with self._database.read() as connection:
            found = connection.execute(query).scalar()
        return None if found is None else AccountId(found)

    def use_link(self, token_hash: bytes, now: datetime) -> AccountId | None:
        """Use a link up; None where it is used, too old or none."""
        found = self.link(token_hash, now)
        with self._database.write() as connection:
            used = connection.execute(
                update(account_links)
                .where(account_links.c.token_hash == token_hash, account_links.c.used_at.is_(None))
                .where(account_links.c.expires_at > now)
                .values(used_at=now)
                .execution_options(preserve_rowcount=True)
            )
        return found if used.rowcount == 1 else None


class SqlSignIns:
    """The port `SignIns` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def open(self, id_hash: bytes, session: Session) -> None:
        """Keep a session."""
        with self._database.write() as connection:
            connection.execute(
                insert(sessions).values(
                    id_hash=id_hash,
                    account=session.account,
                    learner=session.learner,
                    registration=session.registration,
                    framed=session.framed,
                    made_at=session.made_at,
                    seen_at=session.seen_at,
                    expires_at=session.expires_at,
                )
            )
            connection.execute(delete(sessions).where(*_too_many(session)))

    def get(self, id_hash: bytes) -> Session | None:
        """A session, however old."""
        with self._database.read() as connection:
            row = connection.execute(select(sessions).where(sessions.c.id_hash == id_hash)).first()
        return None if row is None else _session(row)

    def saw(self, id_hash: bytes, at: datetime) -> None:
        """Note that it was used."""
        with self._database.write_what_can_be_made_again() as connection:
            connection.execute(
                update(sessions).where(sessions.c.id_hash == id_hash).values(seen_at=at)
            )

    def end(self, id_hash: bytes) -> None:
        """Forget it."""
        with self._database.write() as connection:
            connection.execute(delete(sessions).where(sessions.c.id_hash == id_hash))

    def forget_before(self, at: datetime) -> int:
        """Forget what expired before a moment; how many."""
        with self._database.write() as connection:
            gone = connection.execute(
                delete(sessions)
                .where(sessions.c.expires_at < at)
                .execution_options(preserve_rowcount=True)
            )
        return gone.rowcount


def _too_many(session: Session) -> tuple[ColumnElement[bool], ...]:
    """The oldest sessions of who has more than there may be: of an account, or of a learner."""
    whose = [sessions.c.account == session.account]
    if session.account is None:
        whose = [sessions.c.account.is_(None), sessions.c.learner == session.learner]
    newest = select(sessions.c.id_hash).where(*whose).order_by(sessions.c.made_at.desc())
    return (*whose, sessions.c.id_hash.not_in(newest.limit(SESSIONS)))


def _values(account: Account) -> dict[str, object]:
    return {
        "login": account.login,
        "name": account.name,
        "host": account.host,
        "made_at": account.made_at,
        "disabled_at": account.disabled_at,
    }


def _account(row: Row[Any]) -> Account:
    return Account(
        AccountId(row.id), row.name, row.made_at, row.login, bool(row.host), row.disabled_at
    )


def _session(row: Row[Any]) -> Session:
    return Session(
        None if row.account is None else AccountId(row.account),
        row.made_at,
        row.seen_at,
        row.expires_at,
        None if row.learner is None else LearnerId(row.learner),
        row.registration,
        bool(row.framed),
    )
