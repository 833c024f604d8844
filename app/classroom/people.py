"""The columns by which tables of campus systems say who a row is about.

Found by name, in English and as Canvas, Moodle and Blackboard export them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from app.model.classes import Enrolment, EnrolmentId

NAMES: Mapping[str, tuple[str, ...]] = {
    "name": ("name", "student", "student name", "full name", "learner"),
    "first": ("first name", "given name", "firstname"),
    "last": ("last name", "family name", "surname", "lastname"),
    "student_id": (
        "student_id",
        "student id",
        "sis user id",
        "id number",
        "id",
        "student number",
        "matriculation number",
    ),
    "login": ("sis login id", "login", "login id", "username", "user name"),
    "email": ("email address", "email", "e-mail", "e-mail address", "mail"),
    "section": ("section", "group", "sections"),
}
"""What a column is called, in lower case, better names first: a Canvas file has two ids."""


@dataclass(frozen=True)
class PersonFields:
    """What a row says of a person; "" where it does not say."""

    name: str = ""
    sort_name: str = ""
    student_id: str = ""
    login: str = ""
    email: str = ""
    section: str = ""


def columns(head: Sequence[str]) -> dict[str, int]:
    """Which column holds what, by the table's first line."""
    plain = [" ".join(cell.split()).casefold() for cell in head]
    found: dict[str, int] = {}
    for what, names in NAMES.items():
        place = next((plain.index(name) for name in names if name in plain), None)
        if place is not None:
            found[what] = place
    return found


def who(cells: Sequence[str], places: Mapping[str, int]) -> PersonFields:
    """The person a row is about."""
    said = {what: cells[n] if n < len(cells) else "" for what, n in places.items()}
    first, last = said.get("first", ""), said.get("last", "")
    name = said.get("name", "")
    if name and "," in name:
        last, _, first = (part.strip() for part in name.partition(","))
    if first or last:
        name = " ".join(part for part in (first, last) if part)
    sort_name = ", ".join(part for part in (last, first) if part) or name
    return PersonFields(
        name,
        sort_name,
        said.get("student_id", ""),
        said.get("login", ""),
        said.get("email", ""),
        said.get("section", ""),
    )


@dataclass(frozen=True)
class Index:
    """Enrolments by what a campus calls them: first by id, then login and e-mail, then name."""

    by_id: Mapping[str, tuple[EnrolmentId, ...]]
    by_login: Mapping[str, tuple[EnrolmentId, ...]]
    by_name: Mapping[str, tuple[EnrolmentId, ...]]

    def find(self, row: PersonFields) -> EnrolmentId | None:
        """The one enrolment a row is about, or None: of two that fit, neither is meant."""
        found, _ = self.candidates(row)
        return found[0] if len(found) == 1 else None

    def candidates(self, row: PersonFields) -> tuple[tuple[EnrolmentId, ...], bool]:
        """All enrolments a row may be about; the flag says that only their names speak for it."""
        if row.student_id and (found := self.by_id.get(row.student_id.casefold())):
            return found, False
        for login in (row.login, row.email):
            if login and (found := self.by_login.get(login.casefold())):
                return found, False
        return self.by_name.get(_plain(row.name), ()) if row.name else (), True


def index(enrolments: Iterable[Enrolment]) -> Index:
    """The enrolments of a class, to find rows in."""
    ids: dict[str, list[EnrolmentId]] = defaultdict(list)
    logins: dict[str, list[EnrolmentId]] = defaultdict(list)
    names: dict[str, list[EnrolmentId]] = defaultdict(list)
    for enrolment in enrolments:
        if enrolment.student_id:
            ids[enrolment.student_id.casefold()].append(enrolment.id)
        if enrolment.campus_login:
            logins[enrolment.campus_login.casefold()].append(enrolment.id)
        names[_plain(enrolment.name)].append(enrolment.id)
    return Index(*({key: tuple(found) for key, found in of.items()} for of in (ids, logins, names)))


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()
