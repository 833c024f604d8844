"""The columns of a course's gradebook: found, made, chosen where there are several, lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from app.classroom import campus_scores as words
from app.classroom.campus_members import MOST_PAGES, UnreadableList, following
from app.model.campuses import Course, Link, Registration
from app.model.classes import Assignment
from app.ports.campuses import Reply, Unreachable
from app.service.school.campus.services import CampusServices
from app.service.school.parts import SchoolParts
from app.service.school.words import visible

OWN_COLUMN = "mlgrind:"
"""What stands before an assignment's id where its column is bound to no link of the course."""

CHOSEN_COLUMN = "mlgrind-chosen:"
"""The same, where an instructor chose the column: it goes before all others."""


class NoColumn(Exception):
    """An assignment has no column there, and none can be made; the text is a sentence."""


@dataclass(frozen=True)
class ColumnPlace:
    """An assignment in a course of a campus: where its column is."""

    course: Course
    registration: Registration
    assignment: Assignment


@dataclass(frozen=True)
class ColumnThere:
    """A column of an assignment as the campus names it; `most` is its highest score, or ""."""

    address: str
    label: str
    most: str


class CampusColumns:
    """The use cases around columns."""

    def __init__(self, parts: SchoolParts, services: CampusServices) -> None:
        self._services = services
        self._courses = parts.school.campus.courses

    def of(self, place: ColumnPlace) -> str:
        """The column of an assignment: one that was chosen, its link's own, one there, a new one.

        Raises NoColumn, Unreachable.
        """
        links = [
            link
            for link in self._courses.links(place.course.id)
            if link.assignment == place.assignment.id and link.lineitem_url
        ]
        for link in sorted(links, key=lambda one: not one.resource_link.startswith(CHOSEN_COLUMN)):
            return link.lineitem_url or ""
        if not place.course.lineitems_url:
            raise NoColumn("Your campus names no place for this course’s scores.")
        found = self._only(place) or self._make(place)
        self._keep(place, OWN_COLUMN, found)
        return found

    def _keep(self, place: ColumnPlace, kind: str, address: str) -> None:
        given = place.assignment.id
        self._courses.save_link(Link(place.course.id, f"{kind}{given}", given, address))

    def _only(self, place: ColumnPlace) -> str | None:
        """The column that carries the assignment's id. Raises NoColumn where two do."""
        found = self.there(place)
        if len(found) > 1:
            raise NoColumn(
                f"There are {len(found)} columns for {place.assignment.title} in your course. "
                "Choose one of them here, or delete all but one there and send all again."
            )
        return found[0].address if found else None

    def there(self, place: ColumnPlace) -> tuple[ColumnThere, ...]:
        """The columns of a course that carry the assignment's id. Raises Unreachable."""
        if not place.course.lineitems_url:
            return ()
        start = words.lookup_address(place.course.lineitems_url, place.assignment.id)
        return tuple(
            ColumnThere(str(one["id"]), _text(one.get("label")), _text(one.get("scoreMaximum")))
            for one in self._listed(place, start)
            if one.get("resourceId") == place.assignment.id and isinstance(one.get("id"), str)
        )

    def choose(self, place: ColumnPlace, address: str) -> bool:
        """Send an assignment's scores into one of its columns; false where that is none of them.

        Raises Unreachable.
        """
        if address not in {one.address for one in self.there(place)}:
            return False
        self._keep(place, CHOSEN_COLUMN, address)
        return True

    def _listed(self, place: ColumnPlace, start: str) -> Iterator[Mapping[str, object]]:
        """The columns of a list, page by page: some campuses filter none aplace."""
        address: str | None = start
        for _ in range(MOST_PAGES):
            reply = self._services.ask(
                place.registration,
                words.SCOPE_LINEITEM,
                "GET",
                address or "",
                accept=words.LINE_ITEMS,
            )
            if reply.status != 200 or not isinstance(reply.content, list):
                said = f"Its columns can’t be read ({reply.status}). {reply.words}"
                raise Unreachable(said.strip())
            yield from (one for one in reply.content if isinstance(one, dict))
            address = next_page(address or "", reply)
            if address is None:
                return

    def _make(self, place: ColumnPlace) -> str:
        given = place.assignment
        reply = self._services.ask(
            place.registration,
            words.SCOPE_LINEITEM,
            "POST",
            place.course.lineitems_url or "",
            content=words.column(given.title, given.id, given.policy.points),
            accept=words.LINE_ITEM,
            kind=words.LINE_ITEM,
        )
        made = reply.content.get("id") if isinstance(reply.content, dict) else None
        if reply.status not in (200, 201) or not isinstance(made, str):
            said = f" It says: “{reply.words}”" if reply.words else ""
            raise NoColumn(f"Your campus makes no column for {given.title}.{said}")
        return made

    def lose(self, place: ColumnPlace) -> None:
        """Forget a column that is not there any more."""
        for link in self._courses.links(place.course.id):
            if link.assignment == place.assignment.id and link.lineitem_url:
                self._courses.save_link(replace(link, lineitem_url=None))


def _text(value: object) -> str:
    return visible(str(value), 200) if isinstance(value, str | int | float) else ""


def next_page(address: str, reply: Reply) -> str | None:
    """Where a list goes on, or None at its end. Raises Unreachable."""
    try:
        return following(address, reply.headers.get("link", ""))
    except UnreadableList as error:
        raise Unreachable(str(error)) from None
