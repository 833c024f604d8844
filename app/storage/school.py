"""The store of classes, on the same database as everything else."""

from __future__ import annotations

from app.storage.accounts import SqlAccounts, SqlSignIns
from app.storage.assignments import SqlAssignments
from app.storage.audit import SqlAudit
from app.storage.class_work import SqlClassWork
from app.storage.classes import SqlClasses
from app.storage.database import Database
from app.storage.enrolments import SqlEnrolments
from app.storage.forgetting import SqlForgetting
from app.storage.of_campuses import SqlCampus
from app.storage.regrades import SqlRegrades


class SqlWork(SqlClassWork, SqlForgetting):
    """The port `ClassRecords` on a database: its two halves."""


class SqlSchool:
    """The port `SchoolStore` on a database; safe to use from several threads."""

    def __init__(self, database: Database) -> None:
        self.accounts = SqlAccounts(database)
        self.sign_ins = SqlSignIns(database)
        self.classes = SqlClasses(database)
        self.enrolments = SqlEnrolments(database)
        self.assignments = SqlAssignments(database)
        self.work = SqlWork(database)
        self.regrades = SqlRegrades(database)
        self.audit = SqlAudit(database)
        self.campus = SqlCampus(database)
