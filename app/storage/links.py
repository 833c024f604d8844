"""Links that show one submission to every holder; the database knows only their hashes."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, select

from app.model import SubmissionId
from app.storage.database import Database, insert
from app.storage.schema import shares


class SqlLinks:
    """The port `Links` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def share(
        self, submission: SubmissionId, token_hash: bytes, nonce: bytes, at: datetime
    ) -> None:
        """Keep a token's hash in place of an earlier one."""
        kept = {"token_hash": token_hash, "nonce": nonce, "created_at": at}
        with self._database.write() as connection:
            row = insert(connection, shares).values(submission=submission, **kept)
            connection.execute(
                row.on_conflict_do_update(index_elements=[shares.c.submission], set_=kept)
            )

    def nonce(self, submission: SubmissionId) -> bytes | None:
        """What the token in force was made from, or None where the submission is not shared."""
        query = select(shares.c.nonce).where(shares.c.submission == submission)
        with self._database.read() as connection:
            return connection.execute(query).scalar()

    def shared(self, token_hash: bytes) -> SubmissionId | None:
        """The submission a token opens."""
        query = select(shares.c.submission).where(shares.c.token_hash == token_hash)
        with self._database.read() as connection:
            found = connection.execute(query).scalar()
        return None if found is None else SubmissionId(found)

    def revoke(self, submission: SubmissionId) -> None:
        """Forget the token; the link is dead from now on."""
        with self._database.write() as connection:
            connection.execute(delete(shares).where(shares.c.submission == submission))
