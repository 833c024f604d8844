"""Second looks at accepted submissions, and the holes they found."""

from __future__ import annotations

import json
from contextlib import suppress

from sqlalchemy import and_, func, select
from sqlalchemy.exc import IntegrityError

from app.model import Slug, SubmissionId
from app.records import Hole, SecondLook
from app.storage import shared_writes
from app.storage.database import Database, add_once
from app.storage.schema import holes, second_looks, sources, submissions


class SqlLooks:
    """The port `LookStore` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def record(self, look: SecondLook) -> None:
        """Keep a look once, and the hole it found; nothing where the submission is gone.

        A power cut may undo it: no verdict waits for the disk because of a look.
        """
        if look.draw is None and not self._database.is_sqlite:
            shared_writes.looked(self._database, look)
            return
        gone = suppress(IntegrityError)
        with gone, self._database.write_what_can_be_made_again() as connection:
            add_once(
                connection,
                second_looks,
                submission=look.submission,
                exercise=look.exercise,
                digest=look.digest,
                looked_at=look.looked_at,
                draw=look.draw,
                test=None if look.test is None else json.dumps(look.test),
            )
            if look.draw is not None:
                found = {"exercise": look.exercise, "digest": look.digest, "draw": look.draw}
                add_once(connection, holes, **found, found_at=look.looked_at)

    def get(self, submission: SubmissionId) -> SecondLook | None:
        """The look at a submission, where there was one."""
        query = select(second_looks).where(second_looks.c.submission == submission)
        with self._database.read() as connection:
            row = connection.execute(query).first()
        if row is None:
            return None
        return SecondLook(
            submission,
            Slug(row.exercise),
            row.digest,
            row.looked_at,
            row.draw,
            None if row.test is None else json.loads(row.test),
        )

    def holes(self) -> tuple[Hole, ...]:
        """By exercise, those that most submissions fell into first."""
        same = and_(
            second_looks.c.exercise == holes.c.exercise,
            second_looks.c.digest == holes.c.digest,
            second_looks.c.draw == holes.c.draw,
        )
        count = func.count(second_looks.c.submission)
        query = (
            select(holes, count.label("fell"), func.min(second_looks.c.submission).label("example"))
            .outerjoin(second_looks, same)
            .group_by(*holes.c)
            .order_by(holes.c.exercise, count.desc(), holes.c.draw)
        )
        with self._database.read() as connection:
            rows = connection.execute(query).all()
            texts = {
                row.example: connection.execute(
                    select(sources.c.text)
                    .join(submissions, submissions.c.source == sources.c.hash)
                    .where(submissions.c.id == row.example)
                ).scalar()
                for row in rows
                if row.example is not None
            }
        return tuple(
            Hole(
                Slug(row.exercise),
                row.digest,
                row.draw,
                row.found_at,
                row.fell,
                texts.get(row.example),
            )
            for row in rows
        )
