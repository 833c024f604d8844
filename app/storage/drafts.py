"""Texts being written: one a device, never merged.

A draft grown out of another one (its `base`) takes its place; one that did not stands beside it.
So two tabs that type in turn leave two texts, not one a keystroke and not one a mixture.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, delete, or_, select

from app.model import LearnerId, Slug
from app.records import Draft, Drafts
from app.storage.database import Database, insert
from app.storage.learners import ensure, hold
from app.storage.schema import drafts

_ALL = (
    select(drafts)
    .where(drafts.c.learner == bindparam("who"), drafts.c.exercise == bindparam("slug"))
    .order_by(drafts.c.version.desc())
)


class SqlDrafts:
    """The port `DraftBox` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, learner: LearnerId, draft: Draft, base: str | None) -> Drafts:
        """Keep the device's text; what it grew out of, or says word for word, goes."""
        now = {"version": draft.version, "source": draft.source, "saved_at": draft.saved_at}
        theirs = and_(drafts.c.learner == learner, drafts.c.exercise == draft.exercise)
        with self._database.write_beside() as connection:
            ensure(connection, learner, draft.saved_at)
            hold(connection, learner)
            row = insert(connection, drafts).values(
                learner=learner, exercise=draft.exercise, device=draft.device, **now
            )
            key = [drafts.c.learner, drafts.c.exercise, drafts.c.device]
            connection.execute(row.on_conflict_do_update(index_elements=key, set_=now))
            replaced = or_(drafts.c.version == base, drafts.c.source == draft.source)
            connection.execute(
                delete(drafts).where(theirs, drafts.c.device != draft.device, replaced)
            )
            found = _all(connection, learner, draft.exercise)
            kept = found.kept()
            for old in found.others[len(kept.others) :]:
                connection.execute(delete(drafts).where(theirs, drafts.c.version == old.version))
            return kept

    def all(self, learner: LearnerId, slug: Slug) -> Drafts:
        """The newest and the others."""
        with self._database.read() as connection:
            return _all(connection, learner, slug)

    def drop(self, learner: LearnerId, slug: Slug, version: str) -> None:
        """Forget one text."""
        with self._database.write_beside() as connection:
            connection.execute(
                delete(drafts).where(
                    drafts.c.learner == learner,
                    drafts.c.exercise == slug,
                    drafts.c.version == version,
                )
            )


def _all(connection: Connection, learner: LearnerId, slug: Slug) -> Drafts:
    found = [_draft(row) for row in connection.execute(_ALL, {"who": learner, "slug": slug})]
    return Drafts(found[0], tuple(found[1:])) if found else Drafts(None)


def _draft(row: Row[Any]) -> Draft:
    return Draft(Slug(row.exercise), row.source, row.version, row.device, row.saved_at)
