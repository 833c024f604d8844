"""All that is kept of campuses, on one database."""

from __future__ import annotations

from app.storage.arrival_tickets import SqlTickets
from app.storage.courses import SqlCourses
from app.storage.database import Database
from app.storage.outbox import SqlScores
from app.storage.registrations import SqlRegistrations


class SqlCampus:
    """The port `CampusStore` on a database."""

    def __init__(self, database: Database) -> None:
        self.registrations = SqlRegistrations(database)
        self.courses = SqlCourses(database)
        self.scores = SqlScores(database)
        self.tickets = SqlTickets(database)
