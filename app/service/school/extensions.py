"""More time, more tries, or none at all, for one learner or for a file of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from app.classroom import dates, people, tables
from app.classroom.tables import Unreadable
from app.model.classes import Assignment, AssignmentId, ClassId, Enrolment, EnrolmentId, Extension
from app.service.school import room
from app.service.school.assignments import AssignmentBook
from app.service.school.classes import ClassBook
from app.service.school.errors import Complaints
from app.service.school.parts import By, SchoolParts
from app.service.school.people import People
from app.service.school.rules import ClassRules
from app.service.school.uploads import Uploads
from app.service.school.words import note

MOST_BYTES = 2 * 2**20
MOST_ROWS = 5_000
MOST_ATTEMPTS = 10_000


@dataclass(frozen=True)
class ExtensionRow:
    """A row of a file that can be applied."""

    line: int
    enrolment: Enrolment
    assignment: Assignment
    due_at: datetime
    moved: bool


@dataclass(frozen=True)
class ExtensionPlan:
    """What a file would do, what of it can't be read, and the token that applies it."""

    rows: tuple[ExtensionRow, ...]
    bad: tuple[tuple[int, str], ...]
    token: str = ""


class Extensions:
    """The use cases around extensions."""

    def __init__(
        self,
        parts: SchoolParts,
        rules: ClassRules,
        classes: ClassBook,
        people: People,
        assignments: AssignmentBook,
    ) -> None:
        self._parts = parts
        self._rules = rules
        self._classes = classes
        self._people = people
        self._assignments = assignments
        self._uploads = Uploads()

    def give(
        self,
        class_id: ClassId,
        assignment: AssignmentId,
        enrolment: EnrolmentId,
        fields: Mapping[str, str],
        by: By,
    ) -> Extension:
        """Give an extension in place of an earlier one; empty fields leave the class's terms.

        Fields: due_at, closes_at, attempts, excused, note. Raises NotThere, Complaints.
        """
        self._classes.running(class_id)
        given = self._assignments.one(class_id, assignment)
        who = self._people.one(class_id, enrolment)
        made = self._read(given, who, fields, by)
        self._keep(made, by, class_id, f"{who.name}, {given.title}")
        return made

    def _read(
        self, given: Assignment, who: Enrolment, fields: Mapping[str, str], by: By
    ) -> Extension:
        where = self._parts.zone_of(given.class_id)
        said: dict[str, str] = {}

        def moment(name: str) -> datetime | None:
            text = fields.get(name, "").strip()
            try:
                return dates.entered(text, where).at if text else None
            except ValueError as error:
                said[name] = str(error)
                return None

        due, closes, attempts = moment("due_at"), moment("closes_at"), _attempts(fields, said)
        if closes is not None and closes < (due or given.policy.due_at):
            said["closes_at"] = "This closes before it is due."
        if due is not None and due < given.policy.opens_at:
            said["due_at"] = "This is due before it opens."
        excused = fields.get("excused", "") in ("on", "1", "yes", "true")
        if not said and not excused and (due, closes, attempts) == (None, None, None):
            said["due_at"] = "Give a date or tries, or excuse them."
        if said:
            raise Complaints(said)
        account = None if isinstance(by, str) else by.id
        words = note(fields.get("note", ""))
        now = self._parts.now()
        return Extension(given.id, who.id, account, now, due, closes, attempts, excused, words)

    def take_back(
        self, class_id: ClassId, assignment: AssignmentId, enrolment: EnrolmentId, by: By
    ) -> None:
        """Let the class's own terms hold again."""
        self._classes.running(class_id)
        given = self._assignments.one(class_id, assignment)
        who = self._people.one(class_id, enrolment)
        self._parts.school.assignments.take_back(assignment, enrolment)
        detail = f"{who.name}, {given.title}"
        self._parts.note(by, "extension taken back", enrolment, detail, class_id)
        self._rules.forget()

    def of_class(self, class_id: ClassId) -> dict[tuple[AssignmentId, EnrolmentId], Extension]:
        """All extensions in a class."""
        found = self._parts.school.assignments.extensions(class_id)
        return {(one.assignment, one.enrolment): one for one in found}

    def _keep(self, made: Extension, by: By, class_id: ClassId, detail: str) -> None:
        self._parts.school.assignments.extend(made)
        self._parts.note(by, "extension given", made.enrolment, detail, class_id)
        self._rules.forget()

    # -------------------------------------------------------------- a file of them

    def dry_run(self, class_id: ClassId, data: bytes) -> ExtensionPlan:
        """What a file with the columns student_id, assignment, due would do. Raises Complaints."""
        self._classes.running(class_id)
        plan = self._plan(class_id, data)
        return replace(plan, token=self._uploads.keep(class_id, data))

    def apply(self, class_id: ClassId, token: str, by: By) -> ExtensionPlan:
        """Apply the file of a dry run. Raises Conflict where it is gone."""
        plan = self.apply_file(class_id, self._uploads.get(class_id, token), by)
        self._uploads.drop(token)
        return plan

    def apply_file(self, class_id: ClassId, data: bytes, by: By) -> ExtensionPlan:
        """Apply a file at once; tries, notes and a later closing given before stay."""
        self._classes.running(class_id)
        room.check_disk(self._parts)
        plan = self._plan(class_id, data)
        before = self.of_class(class_id)
        account = None if isinstance(by, str) else by.id
        for row in plan.rows:
            old = before.get((row.assignment.id, row.enrolment.id))
            made = Extension(
                row.assignment.id,
                row.enrolment.id,
                account,
                self._parts.now(),
                row.due_at,
                _still_later(old, row.due_at),
                old.attempts if old else None,
                old.excused if old else False,
                old.note if old else "",
            )
            detail = f"{row.enrolment.name}, {row.assignment.title}"
            self._keep(made, by, class_id, detail)
        return plan

    def _plan(self, class_id: ClassId, data: bytes) -> ExtensionPlan:
        try:
            table = tables.read(data, most_bytes=MOST_BYTES, most_rows=MOST_ROWS)
        except Unreadable as error:
            raise Complaints({"file": str(error)}) from None
        head, *records = [record for record in table.records if not record.empty]
        names = [cell.strip().casefold() for cell in head.cells]
        if "assignment" not in names or "due" not in names or not people.columns(head.cells):
            raise Complaints(
                {"file": f"Line {head.line} needs the columns student_id, assignment and due."}
            )
        at = (names.index("assignment"), names.index("due"))
        find = _Finder(self._people.all(class_id), self._assignments.all(class_id), head.cells)
        where = self._parts.zone_of(class_id)
        rows: list[ExtensionRow] = []
        bad: list[tuple[int, str]] = []
        for record in records:
            try:
                who, given = find.person(record.cells), find.assignment(_cell(record.cells, at[0]))
                due = dates.entered(_cell(record.cells, at[1]), where)
                if due.at < given.policy.opens_at:
                    raise ValueError("This is due before it opens.")
                rows.append(ExtensionRow(record.line, who, given, due.at, due.moved))
            except ValueError as error:
                bad.append((record.line, str(error)))
        return ExtensionPlan(tuple(rows), tuple(bad))


class _Finder:
    """Finds who and what a row is about. Raises ValueError with a sentence."""

    def __init__(
        self,
        enrolments: tuple[Enrolment, ...],
        assignments: tuple[Assignment, ...],
        head: tuple[str, ...],
    ) -> None:
        self._known = {one.id: one for one in enrolments}
        self._by = people.index(enrolments)
        self._places = people.columns(head)
        self._assignments = assignments

    def person(self, cells: tuple[str, ...]) -> Enrolment:
        found = self._by.find(people.who(cells, self._places))
        if found is None:
            raise ValueError("Nobody in the class is called that.")
        return self._known[found]

    def assignment(self, text: str) -> Assignment:
        plain = text.casefold()
        fits = [
            one
            for one in self._assignments
            if plain in (one.title.casefold(), one.exercise.casefold(), one.id)
        ]
        if len(fits) != 1:
            raise ValueError("No assignment has this title.")
        return fits[0]


def _still_later(old: Extension | None, due: datetime) -> datetime | None:
    """The closing somebody was given before, where it is not before the new due date."""
    closes = old.closes_at if old else None
    return closes if closes is not None and closes >= due else None


def _cell(cells: tuple[str, ...], n: int) -> str:
    return cells[n] if n < len(cells) else ""


def _attempts(fields: Mapping[str, str], said: dict[str, str]) -> int | None:
    text = fields.get("attempts", "").strip()
    if not text:
        return None
    if not text.isdecimal() or not 1 <= int(text[:9]) <= MOST_ATTEMPTS:
        said["attempts"] = f"Choose a whole number from 1 to {MOST_ATTEMPTS:,}, or leave it empty."
        return None
    return int(text)
