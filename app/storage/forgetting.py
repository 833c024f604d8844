"""All that is kept of a learner: to hand it to them, and to delete it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, delete, exists, func, null, or_, select, update

from app.model import LearnerId
from app.model.bounds import EXPORT_BYTES
from app.model.classes import ClassId, DeletionRequest, EnrolmentId
from app.records import Json
from app.storage import report_bodies
from app.storage.database import Database, insert
from app.storage.schema import (
    drafts,
    follow_up_answers,
    hint_reveals,
    learners,
    recovery_codes,
    reports,
    second_looks,
    shares,
    solution_reveals,
    sources,
    submissions,
)
from app.storage.schema_classes import (
    classes,
    deletion_requests,
    enrolments,
    extensions,
    past_reports,
    regraded,
    report_mistakes,
    sessions,
)
from app.storage.schema_lti import lti_identities, lti_scores, lti_tickets

OF_SUBMISSIONS = (shares, second_looks, past_reports, regraded, report_mistakes, reports)
OF_LEARNER = (
    hint_reveals,
    solution_reveals,
    follow_up_answers,
    drafts,
    recovery_codes,
    sessions,
    lti_identities,
    lti_tickets,
)
AT_ONCE = 500
"""Texts dropped by one statement: a database takes so many values, and not many more."""

OF_ENROLMENT = (lti_scores, extensions, deletion_requests)


class SqlForgetting:
    """The other half of the port `ClassRecords`: what is kept of somebody, and how it goes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def kept_of(self, learner: LearnerId) -> Json:
        """All that is kept of a learner, for them to take along; times as ISO texts."""
        tables = {
            "hints": hint_reveals,
            "solutions": solution_reveals,
            "answers": follow_up_answers,
            "drafts": drafts,
        }
        with self._database.read() as connection:
            who = connection.execute(select(learners).where(learners.c.id == learner)).first()
            found: dict[str, object] = {
                "learner": learner if who is None else _plain(who._mapping),
                "submissions": _submissions(connection, learner),
                "classes": _classes(connection, learner),
            }
            for name, table in tables.items():
                rows = connection.execute(select(table).where(table.c.learner == learner))
                found[name] = [_plain(row._mapping) for row in rows]
        return found

    def delete(self, learner: LearnerId, at: datetime) -> None:
        """Delete a learner and all their work, in one transaction; enrolments are blanked."""
        with self._database.write() as connection:
            _delete(connection, learner, at)

    def delete_idle(self, learner: LearnerId, before: datetime, at: datetime) -> bool:
        """Delete a learner who is still idle, looked at in the same transaction; else false."""
        with self._database.write() as connection:
            idle = connection.execute(_idle(before).where(learners.c.id == learner)).first()
            if idle is None:
                return False
            _delete(connection, learner, at)
        return True

    def idle_since(self, before: datetime) -> tuple[LearnerId, ...]:
        """Learners in no class whose last sign of life is older."""
        with self._database.read() as connection:
            rows = connection.execute(_idle(before).order_by(learners.c.id))
            return tuple(LearnerId(row.id) for row in rows)

    def request_deletion(self, request: DeletionRequest) -> None:
        """Keep a request, or its answer."""
        kept = {"at": request.at, "answer": request.answer, "answered_at": request.answered_at}
        with self._database.write() as connection:
            row = insert(connection, deletion_requests).values(enrolment=request.enrolment, **kept)
            connection.execute(
                row.on_conflict_do_update(index_elements=[deletion_requests.c.enrolment], set_=kept)
            )

    def deletion_requests(self, class_id: ClassId) -> tuple[DeletionRequest, ...]:
        """The requests of a class's learners."""
        query = (
            select(deletion_requests)
            .join(enrolments)
            .where(enrolments.c["class"] == class_id)
            .order_by(deletion_requests.c.at)
        )
        with self._database.read() as connection:
            rows = connection.execute(query).all()
        return tuple(
            DeletionRequest(EnrolmentId(row.enrolment), row.at, row.answer, row.answered_at)
            for row in rows
        )


def _idle(before: datetime) -> Select[tuple[str]]:
    """Those in no class whose last sign of life is older."""
    signs = [
        (submissions, submissions.c.created_at),
        (hint_reveals, hint_reveals.c.revealed_at),
        (drafts, drafts.c.saved_at),
        (follow_up_answers, follow_up_answers.c.answered_at),
    ]
    lately = [exists().where(table.c.learner == learners.c.id, at >= before) for table, at in signs]
    in_class = exists().where(enrolments.c.learner == learners.c.id)
    return select(learners.c.id).where(
        learners.c.created_at < before,
        learners.c.joined_to.is_(None),
        ~in_class,
        ~or_(*lately),
    )


def _delete(connection: Connection, learner: LearnerId, at: datetime) -> None:
    everyone = _joined(connection, learner)
    sent = select(submissions.c.source).where(submissions.c.learner.in_(everyone)).distinct()
    texts = list(connection.execute(sent).scalars())
    for who in everyone:
        _delete_work(connection, who, at)
    connection.execute(update(learners).where(learners.c.id.in_(everyone)).values(joined_to=null()))
    connection.execute(delete(learners).where(learners.c.id.in_(everyone)))
    for start in range(0, len(texts), AT_ONCE):
        _drop_unused(connection, texts[start : start + AT_ONCE])


def _drop_unused(connection: Connection, texts: Sequence[bytes]) -> None:
    """Of some texts, drop those that no submission has any more: no other text is looked at."""
    used = exists().where(submissions.c.source == sources.c.hash)
    connection.execute(delete(sources).where(sources.c.hash.in_(texts), ~used))


def _joined(connection: Connection, learner: LearnerId) -> list[str]:
    """The learner and those who were joined to them."""
    query = select(learners.c.id).where(
        or_(learners.c.id == learner, learners.c.joined_to == learner)
    )
    return [row.id for row in connection.execute(query)]


def _delete_work(connection: Connection, learner: str, at: datetime) -> None:
    theirs = select(submissions.c.id).where(submissions.c.learner == learner)
    seats = select(enrolments.c.id).where(enrolments.c.learner == learner)
    for table in OF_SUBMISSIONS:
        connection.execute(delete(table).where(table.c.submission.in_(theirs)))
    connection.execute(delete(submissions).where(submissions.c.learner == learner))
    for table in OF_LEARNER:
        connection.execute(delete(table).where(table.c.learner == learner))
    for table in OF_ENROLMENT:
        connection.execute(delete(table).where(table.c.enrolment.in_(seats)))
    blank = {
        "name": "deleted",
        "sort_name": "",
        "student_id": null(),
        "campus_login": null(),
        "section": "",
        "seat_hash": null(),
        "learner": null(),
        "state": "removed",
        "removed_at": at,
    }
    connection.execute(update(enrolments).where(enrolments.c.learner == learner).values(**blank))


def _submissions(connection: Connection, learner: LearnerId) -> list[dict[str, object]]:
    """All of them; code and reports of the newest ones, as far as EXPORT_BYTES reach."""
    lengths = func.length(sources.c.text) + func.coalesce(func.length(reports.c.body), 0)
    query = (
        select(submissions.c.id, submissions.c.exercise, submissions.c.created_at, lengths)
        .join(sources, sources.c.hash == submissions.c.source)
        .outerjoin(reports, reports.c.submission == submissions.c.id)
        .where(submissions.c.learner == learner)
        .order_by(submissions.c.id.desc())
    )
    found: list[dict[str, object]] = []
    room = EXPORT_BYTES
    for id_, exercise, created_at, length in connection.execute(query).all():
        room -= length
        content = _content(connection, id_) if room >= 0 else {"left_out": True}
        found.append({"id": id_, "exercise": exercise, "at": created_at.isoformat(), **content})
    return found[::-1]


def _content(connection: Connection, submission: str) -> dict[str, object]:
    query = (
        select(sources.c.text, reports.c.body)
        .select_from(submissions)
        .join(sources, sources.c.hash == submissions.c.source)
        .outerjoin(reports, reports.c.submission == submissions.c.id)
        .where(submissions.c.id == submission)
    )
    row = connection.execute(query).one()
    report = None if row.body is None else report_bodies.read(connection, row.body)
    return {"source": row.text.decode("utf-8", "replace"), "report": report}


def _classes(connection: Connection, learner: LearnerId) -> list[dict[str, object]]:
    query = (
        select(enrolments, classes.c.title)
        .join(classes, classes.c.id == enrolments.c["class"])
        .where(enrolments.c.learner == learner)
    )
    return [
        _plain({key: value for key, value in row._mapping.items() if key != "seat_hash"})
        for row in connection.execute(query)
    ]


def _plain(row: Any) -> dict[str, object]:
    """A row as JSON takes it."""
    return {str(key): _value(value) for key, value in row.items()}


def _value(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
