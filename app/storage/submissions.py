"""Submissions, their sources and reports."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, select, update
from sqlalchemy.exc import IntegrityError

from app.model import LearnerId, Slug, SubmissionId, Verdict
from app.ports import GradeJob
from app.records import Attempt, ExportRow, Json, NewSubmission, Progress, Submission
from app.storage import report_bodies, shared_writes, tally
from app.storage.database import Database, add_once, insert
from app.storage.learners import ensure, hold, now_carried_by
from app.storage.queueing import Queueing, tell
from app.storage.reading import by_key, submission_of, whole
from app.storage.replacing import replace_report
from app.storage.report_columns import columns_of, mistakes_named, mistakes_of, name_mistakes
from app.storage.report_shrinking import PackedReports, pack_next, write_packed
from app.storage.schema import reports, shares, sources, submissions
from app.storage.tally import check_limit
from app.storage.unreported import move_mark, unreported

HISTORY = 500
"""The newest submissions a history shows."""

_ADD = submissions.insert()
_BY_ID = whole().where(submissions.c.id == bindparam("id"))
_HISTORY = (
    select(
        submissions.c.id,
        submissions.c.exercise,
        submissions.c.created_at,
        *reports.c["verdict", "passed", "total", "mask"],
        shares.c.submission.label("shared"),
    )
    .outerjoin(reports, reports.c.submission == submissions.c.id)
    .outerjoin(shares, shares.c.submission == submissions.c.id)
    .where(submissions.c.learner == bindparam("who"), submissions.c.exercise == bindparam("slug"))
    .order_by(submissions.c.id.desc())
    .limit(HISTORY)
)
_KEY = ("learner", "exercise", "source", "idempotency_key")


class SqlSubmissions:
    """The port `Submissions` on a database."""

    def __init__(self, database: Database, queueing: Queueing | None = None) -> None:
        self._database = database
        self._queueing = queueing

    def add(self, new: NewSubmission, job: GradeJob | None = None) -> tuple[Submission, bool]:
        """Store source and submission in one transaction, to settle, unless its key is known.

        It is the learner's who has the work now: another device may have joined two a moment ago.
        Raises TriesUsedUp where its limit leaves none; counting and storing are one step. Where the
        database holds the queue, the job goes into it in the same transaction, the moment is the
        database's, and TooManyInLine is raised for more than a learner may have in line.
        """
        if self._queueing is not None:
            return self._add_shared(self._queueing, new, job)
        with self._database.write_to_settle() as connection:
            ensure(connection, new.learner, new.created_at)
            learner = now_carried_by(connection, new.learner)
            if new.limit is not None:  # or two at once would both be the last try
                hold(connection, learner)
            known = new.key and by_key(connection, learner, new.exercise, new.source, new.key)
            if known:
                return known, False
            check_limit(connection, learner, new)
            values = _values(new, learner, new.created_at)
            add_once(connection, sources, hash=values["source"], text=new.source)
            if not _add(connection, values):
                return _same(connection, learner, new), False
        return Submission(new.id, learner, new.exercise, new.source, new.created_at), True

    def _add_shared(
        self, queueing: Queueing, new: NewSubmission, job: GradeJob | None
    ) -> tuple[Submission, bool]:
        with self._database.write_unlocked() as connection:
            learner = shared_writes.hold(connection, new.learner, new.created_at)
            found = shared_writes.standing(connection, learner, new)
            if found.known:
                return _same(connection, learner, new), False
            queueing.admit(found.waiting)
            check_limit(connection, learner, new)
            values = _values(new, learner, found.now)
            if not shared_writes.add(connection, values, new.source):
                return _same(connection, learner, new), False
            if job is not None:
                queueing.put(connection, job)
        return Submission(new.id, learner, new.exercise, new.source, found.now), True

    def settle(self) -> None:
        """Wait until no power cut undoes what was added before."""
        self._database.settle()

    def known(self, learner: LearnerId, slug: Slug, source: bytes, key: str) -> Submission | None:
        """The submission stored before under this key with this source, if any."""
        with self._database.glance() as connection:
            return by_key(connection, learner, slug, source, key)

    def get(self, submission: SubmissionId) -> Submission | None:
        """One submission with its report."""
        with self._database.glance() as connection:  # what reports share stays for ever
            row = connection.execute(_BY_ID, {"id": submission}).first()
            return None if row is None else submission_of(connection, row)

    def part(self, hashed: bytes) -> Any | None:
        """What reports share under the hash of its JSON, None where there is nothing."""
        with self._database.read() as connection:
            return report_bodies.read_part(connection, hashed)

    def unreported(self) -> tuple[SubmissionId, ...]:
        """Those without a report, oldest first."""
        with self._database.read() as connection:
            return unreported(connection)

    def record(self, submission: SubmissionId, report: Json, at: datetime) -> bool:
        """Store a report once; the first one stands.

        A power cut may undo it, and then the submission is judged again at the next start.
        """
        values = {"submission": submission, **columns_of(report)}
        packed = report_bodies.pack(report)
        try:
            if self._queueing is not None:
                named = mistakes_of(report)
                return shared_writes.record(self._database, values, packed, named)
            with self._database.write_what_can_be_made_again() as connection:
                values |= {"body": report_bodies.keep(connection, packed), "recorded_at": at}
                first = add_once(connection, reports, **values)
                if first and mistakes_of(report):
                    name_mistakes(connection, submission, report)
                tell(connection, submission)
                return first
        except IntegrityError:  # there is no such submission
            return False

    def faults(self) -> tuple[SubmissionId, ...]:
        """Those whose report says that it was our fault, oldest first."""
        query = (
            select(reports.c.submission)
            .where(reports.c.verdict == Verdict.GRADER_ERROR.value)
            .order_by(reports.c.submission)
        )
        with self._database.read() as connection:
            return tuple(SubmissionId(row.submission) for row in connection.execute(query))

    def correct(self, submission: SubmissionId, report: Json, at: datetime) -> bool:
        """Store a report in place of one that was our fault; any other stands for ever."""
        ours = reports.c.verdict == Verdict.GRADER_ERROR.value
        change = update(reports).where(reports.c.submission == submission, ours)
        packed = report_bodies.pack(report)
        with self._database.write() as connection:
            body = report_bodies.keep(connection, packed)
            values = {**columns_of(report), "body": body, "recorded_at": at}
            corrected = connection.execute(change.values(**values)).rowcount == 1
            if corrected and mistakes_of(report):
                name_mistakes(connection, submission, report)
            tell(connection, submission)
            return corrected

    def replace(self, submission: SubmissionId, report: Json, at: datetime) -> bool:
        """Store a report in place of any that stands, which is kept; false where there is none."""
        return replace_report(self._database, submission, report, at)

    def shrink(self, most: int) -> bool:
        """Make up to `most` reports small that were stored before; whether there may be more.

        Each step is packed before the transaction that writes it and remembers where it ended. A
        report that is replaced meanwhile is left alone: it is small already. With 0 only the mark
        is moved.
        """
        packed: tuple[PackedReports, ...] = ()
        if most > 0:
            with self._database.read() as connection:
                packed = pack_next(connection, most)
        with self._database.write_beside() as connection:
            more = write_packed(connection, packed)
            if not more:
                move_mark(connection)
            return more

    def history(self, learner: LearnerId, slug: Slug) -> tuple[Attempt, ...]:
        """A learner's submissions for an exercise, newest first."""
        with self._database.read() as connection:
            rows = connection.execute(_HISTORY, {"who": learner, "slug": slug}).all()
            named = mistakes_named(connection, learner, slug)
        return tuple(
            Attempt(
                SubmissionId(row.id),
                Slug(row.exercise),
                row.created_at,
                row.verdict,
                row.passed or 0,
                row.total or 0,
                row.shared is not None,
                row.mask,
                tuple(named.get(row.id, ())),
            )
            for row in rows
        )

    def progress(self, learner: LearnerId) -> tuple[Progress, ...]:
        """What was done with each exercise the learner ever touched, by slug."""
        with self._database.read() as connection:
            return tally.progress(connection, learner)

    def export(self) -> Iterator[ExportRow]:
        """Every submission, oldest first, read as it goes."""
        with self._database.read() as connection:
            yield from tally.export(connection)


def _values(new: NewSubmission, learner: LearnerId, at: datetime) -> dict[str, object]:
    """The columns of a submission that is stored at a time."""
    return {
        "id": new.id,
        "learner": learner,
        "exercise": new.exercise,
        "source": hashlib.sha256(new.source).digest(),
        "created_at": at,
        "idempotency_key": new.key,
        "attempted_at": new.attempted_at,
    }


def _add(connection: Connection, values: Mapping[str, object]) -> bool:
    """Whether it was added: elsewhere than on SQLite, one of its key may come in between."""
    if connection.dialect.name == "sqlite" or values["idempotency_key"] is None:
        connection.execute(_ADD, values)
        return True
    once = insert(connection, submissions).on_conflict_do_nothing(index_elements=_KEY)
    return connection.execute(once.returning(submissions.c.id), values).first() is not None


def _same(connection: Connection, learner: LearnerId, new: NewSubmission) -> Submission:
    """The submission that another request stored under the same key a moment ago."""
    found = by_key(connection, learner, new.exercise, new.source, new.key or "")
    if found is None:
        raise LookupError(f"a submission of the key {new.key!r} is there, and cannot be read")
    return found
