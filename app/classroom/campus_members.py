"""A campus's list of the people of a course, read page by page. Pure, on what it answered."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from app.classroom.campus_roles import Part, part

MOST_PAGES = 100
_NEXT = re.compile(r'<([^<>]+)>\s*;[^,<>]*\brel="?next"?(?=[;,\s]|$)')


class UnreadableList(Exception):
    """A list that is none; the text is a sentence."""


@dataclass(frozen=True)
class Member:
    """Somebody of a course as the campus lists them; `active` is false for who left."""

    subject: str
    part: Part
    active: bool
    name: str = ""
    email: str = ""
    student_id: str = ""


def members(content: object) -> tuple[Member, ...]:
    """The members of a page. Raises UnreadableList."""
    listed = content.get("members") if isinstance(content, dict) else None
    if not isinstance(listed, list):
        raise UnreadableList("What your campus sent as its list of people is not one.")
    return tuple(_member(one) for one in listed)


def _member(one: object) -> Member:
    if not isinstance(one, Mapping):
        raise UnreadableList("Somebody on your campus’s list has no id.")
    subject = one.get("user_id")
    if isinstance(subject, int) and not isinstance(subject, bool):
        subject = str(subject)
    if not isinstance(subject, str) or not 0 < len(subject) <= 255:
        raise UnreadableList("Somebody on your campus’s list has no id.")
    roles, status = one.get("roles"), one.get("status", "Active")
    named = " ".join(filter(None, (_text(one, "given_name"), _text(one, "family_name"))))
    return Member(
        subject,
        part(roles if isinstance(roles, list) else [], bare=True),
        status == "Active",
        _text(one, "name") or named,
        _text(one, "email"),
        _text(one, "lis_person_sourcedid"),
    )


def _text(one: Mapping[str, object], name: str) -> str:
    found = one.get(name)
    return found if isinstance(found, str) else ""


def following(address: str, link: str) -> str | None:
    """The next page that a Link header names; another host's raises UnreadableList."""
    found = _NEXT.search(link)
    if found is None:
        return None
    there: str = urljoin(address, found[1])
    if urlsplit(there).hostname != urlsplit(address).hostname:
        raise UnreadableList("The next page of your campus’s list is on another server.")
    return there
