"""A roster from a file: read, compared with the class, and only then applied.

The same file twice changes nothing the second time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from app.classroom import people, tables
from app.classroom.people import PersonFields
from app.classroom.tables import Unreadable
from app.model.classes import Enrolment, State

MOST_BYTES = 2 * 2**20
MOST_ROWS = 5_000
LONGEST_NAME = 200


@dataclass(frozen=True)
class Listed:
    """A row of the file that could be read, and its line."""

    line: int
    who: PersonFields


@dataclass(frozen=True)
class Bad:
    """A row that could not, and why."""

    line: int
    why: str


@dataclass(frozen=True)
class ChangedEnrolment:
    """An enrolment before and after; `what` names what differs, for people to read."""

    before: Enrolment
    after: Enrolment
    what: tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """What applying a file would do; `missing` are in the class but not in the file."""

    new: tuple[PersonFields, ...]
    changed: tuple[ChangedEnrolment, ...]
    unchanged: int
    missing: tuple[Enrolment, ...]
    bad: tuple[Bad, ...]

    def size(self, *, remove: bool) -> int:
        """How many changes it makes."""
        return len(self.new) + len(self.changed) + (len(self.missing) if remove else 0)


def read(data: bytes) -> tuple[tuple[Listed, ...], tuple[Bad, ...]]:
    """The people of a roster file, and the rows that name no person. Raises Unreadable."""
    table = tables.read(data, most_bytes=MOST_BYTES, most_rows=MOST_ROWS)
    head, *rows = [record for record in table.records if not record.empty]
    places = people.columns(head.cells)
    if not {"name", "first", "last"} & set(places):
        raise Unreadable(
            f"Line {head.line} names no column we know. One of them has to be Name, Student, "
            "or First name and Last name."
        )
    listed: list[Listed] = []
    bad: list[Bad] = []
    for row in rows:
        who = people.who(row.cells, places)
        why = _complaint(who)
        if why:
            bad.append(Bad(row.line, why))
        elif not _is_no_person(who):
            listed.append(Listed(row.line, who))
    _refuse_doubles(listed)
    return tuple(listed), tuple(bad)


def _complaint(who: PersonFields) -> str:
    if not who.name:
        return "has no name"
    if len(who.name) > LONGEST_NAME:
        return f"has a name of more than {LONGEST_NAME} characters"
    return ""


def _is_no_person(who: PersonFields) -> bool:
    """Canvas's second line, and the test student it adds to each course."""
    return who.name.casefold() in ("points possible", "test student")


def _refuse_doubles(listed: Sequence[Listed]) -> None:
    """Raise Unreadable where two rows have one id: which of them is right cannot be guessed."""
    seen: dict[str, int] = {}
    for row in listed:
        key = row.who.student_id.casefold()
        if key and key in seen:
            raise Unreadable(
                f"Lines {seen[key]} and {row.line} have the same id, {row.who.student_id[:60]}."
            )
        if key:
            seen[key] = row.line


def plan(listed: Iterable[Listed], bad: Sequence[Bad], enrolments: Sequence[Enrolment]) -> Plan:
    """What a file would change in a class; nothing is changed yet."""
    there = [e for e in enrolments if e.state != "preview" and e.merged_into is None]
    known = {enrolment.id: enrolment for enrolment in there}
    by = people.index(there)
    new: list[PersonFields] = []
    changed: list[ChangedEnrolment] = []
    met: set[str] = set()
    doubled: list[Bad] = []
    for row in listed:
        ids, by_name = by.candidates(row.who)
        fits = [known[i] for i in ids if not (by_name and _another(known[i], row.who))]
        fresh = [enrolment for enrolment in fits if enrolment.id not in met]
        if fits and not fresh and not by_name:
            doubled.append(Bad(row.line, "is the same person as a row above it"))
        elif not fresh:
            new.append(row.who)
        else:
            met.add(fresh[0].id)
            change = _change(fresh[0], row.who)
            changed += [change] if change.what else []
    missing = tuple(e for e in there if e.id not in met and e.state != "removed")
    return Plan(tuple(new), tuple(changed), len(met) - len(changed), missing, (*bad, *doubled))


def _another(enrolment: Enrolment, who: PersonFields) -> bool:
    """Found by name only, but with another id: somebody else of the same name."""
    known = enrolment.student_id
    return bool(known and who.student_id and known.casefold() != who.student_id.casefold())


def _change(before: Enrolment, who: PersonFields) -> ChangedEnrolment:
    after = replace(
        before,
        name=who.name,
        sort_name=who.sort_name,
        student_id=who.student_id or before.student_id,
        campus_login=who.login or who.email or before.campus_login,
        section=who.section or before.section,
        state=_back(before) if before.state == "removed" else before.state,
        removed_at=None,
    )
    labels = {
        "name": "name",
        "student_id": "id",
        "campus_login": "login",
        "section": "section",
        "state": "back in the class",
    }
    what = tuple(
        word for key, word in labels.items() if getattr(before, key) != getattr(after, key)
    )
    return ChangedEnrolment(before, after if what else before, what)


def _back(enrolment: Enrolment) -> State:
    return "active" if enrolment.learner else "invited"
