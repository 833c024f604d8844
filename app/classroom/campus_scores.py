"""Scores on their way to a campus: what is said, where to, and when to try again. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, TypeAlias
from urllib.parse import urlsplit, urlunsplit

from app.model.campuses import Score
from app.model.classes import POINT

SCOPE_LINEITEM = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem"
SCOPE_SCORE = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
SCOPE_MEMBERS = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
LINE_ITEM = "application/vnd.ims.lis.v2.lineitem+json"
LINE_ITEMS = "application/vnd.ims.lis.v2.lineitemcontainer+json"
SCORE = "application/vnd.ims.lis.v1.score+json"
MEMBERS = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"
CANVAS = "https://canvas.instructure.com/lti/submission"

FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(hours=6)
REFUSALS = (timedelta(hours=1), timedelta(hours=12))
"""How long to wait after a refusal: three tries in a day, then it has failed."""

Outcome: TypeAlias = Literal["sent", "token", "lost", "late", "refused", "later"]


@dataclass(frozen=True)
class Again:
    """What comes after a try that failed: when the next one is, or None for never."""

    at: datetime | None


def scores_address(lineitem: str) -> str:
    """Where a column's scores go: its path, then `/scores`, then its query."""
    parts = urlsplit(lineitem)
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/scores"))


def lookup_address(lineitems: str, resource: str) -> str:
    """Where the columns of an assignment are listed."""
    parts = urlsplit(lineitems)
    wanted = f"resource_id={resource}"
    query = f"{parts.query}&{wanted}" if parts.query else wanted
    return urlunsplit(parts._replace(query=query))


def column(label: str, resource: str, points: int) -> Mapping[str, Any]:
    """A new column. It is bound to no link: a link that is deleted takes its column along."""
    return {
        "label": label,
        "scoreMaximum": points / POINT,
        "resourceId": resource,
        "tag": "mlgrind",
    }


def body(score: Score, subject: str, *, canvas: bool) -> Mapping[str, Any]:
    """What is posted. Its timestamp grows with each change; the submission's own is beside it."""
    said: dict[str, Any] = {
        "userId": subject,
        "scoreGiven": score.points / POINT,
        "scoreMaximum": score.max / POINT,
        "activityProgress": "Completed",
        "gradingProgress": "FullyGraded",
        "timestamp": stamp(score.as_of),
    }
    if score.submitted_at is not None:
        said["submission"] = {"submittedAt": stamp(score.submitted_at)}
    if canvas:
        said[CANVAS] = {"new_submission": True, "prioritize_non_tool_grade": True}
        if score.submitted_at is not None:
            said[CANVAS]["submitted_at"] = stamp(score.submitted_at)
    return said


def stamp(at: datetime) -> str:
    """A time with milliseconds and its zone: some campuses refuse one without either."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def outcome(status: int) -> Outcome:
    """What an answer means: a new token, another column, a later time, never, or later on."""
    if 200 <= status < 300:
        return "sent"
    known: dict[int, Outcome] = {
        401: "token", 404: "lost", 410: "lost", 409: "late",
        400: "refused", 403: "refused", 422: "refused",
    }  # fmt: skip
    return known.get(status, "later")


def after_failure(what: Outcome, tries: int, now: datetime) -> Again:
    """When to try again after the `tries`-th try in a row failed."""
    if what in ("refused", "lost"):
        waits = REFUSALS if what == "refused" else REFUSALS[:1]
        return Again(now + waits[tries - 1] if tries <= len(waits) else None)
    wait = FIRST_WAIT * (1 << min(tries - 1, 20))
    return Again(now + min(wait, LONGEST_WAIT))


def refusal(name: str, words: str) -> str:
    """Why a person's score was refused, and what to look at."""
    said = f" It says: “{words}”" if words else ""
    return f"The campus refuses it.{said} Is {name} a student there? Is the course published?"


def missing(scopes: tuple[str, ...], *, members: bool) -> tuple[str, ...]:
    """What a campus did not grant, in words."""
    wanted = (
        (SCOPE_SCORE, "Scores can’t be sent: allow “scores” for ML Grind in your campus system."),
        (SCOPE_LINEITEM, "No columns can be made: allow “line items” for ML Grind there."),
    )
    said = [words for scope, words in wanted if scope not in scopes]
    if not members:
        said.append("The list of people can’t be read: allow “names and roles” there.")
    return tuple(said)
