"""Who somebody is in a course, by the roles a campus gives them there.

Only roles in the course count: at many places every employee is an "instructor" of the
institution, who must not read the grades of a course they take.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

Part: TypeAlias = Literal["instructor", "assistant", "learner"]

MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership"
_SHORT = "urn:lti:role:ims/lis/"
_RANK: dict[Part, int] = {"learner": 0, "assistant": 1, "instructor": 2}


def part(roles: Iterable[object], *, bare: bool = False) -> Part:
    """The highest part that roles in the course give; nothing, or nothing known, is a learner.

    With `bare` a role may be a single word, as rosters write it.
    """
    found: list[Part] = [_one(role, bare) for role in roles if isinstance(role, str)]
    return max(found, key=lambda each: _RANK[each], default="learner")


def _one(role: str, bare: bool) -> Part:
    if role.startswith(f"{MEMBERSHIP}#"):
        return _by_name(role.partition("#")[2], "")
    if role.startswith(f"{MEMBERSHIP}/"):
        name, _, sub = role[len(MEMBERSHIP) + 1 :].partition("#")
        return _by_name(name, sub)
    if role.startswith(_SHORT):
        name, _, sub = role[len(_SHORT) :].partition("/")
        return _by_name(name, sub)
    if bare and role.isalpha():
        return _by_name(role, "")
    return "learner"


def _by_name(name: str, sub: str) -> Part:
    if name == "Instructor":
        return "assistant" if sub.startswith("TeachingAssistant") else "instructor"
    if name == "Administrator":
        return "instructor"
    if name in ("TeachingAssistant", "ContentDeveloper"):
        return "assistant"
    return "learner"
