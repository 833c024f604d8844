"""Values of reports as NumPy code, for the page's copy buttons; fetched once and kept for ever."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from fastapi import APIRouter, Request
from fastapi.responses import Response

from app.model import Slug
from app.report.values import read_value
from app.service import NoSuchSubmission
from app.web.deps import COUNTED, Reader, SitePart, submission_id
from app.web.html.render import packed
from app.web.report.addresses import PLAIN, is_ours
from app.web.report.numpy_code import assignments, value_code
from app.web.wall import Role, needs

router = APIRouter(include_in_schema=False, dependencies=[*COUNTED, needs(Role.VISITOR)])

FOR_EVER = "max-age=31536000, immutable"


@router.get("/exercises/{slug}/parts/{hashed}/{token}/{names}.py")
def part(
    request: Request, slug: Slug, hashed: str, token: str, names: str, site: SitePart, who: Reader
) -> Response:
    """What all reports share under a hash, for those the exercise is there for."""
    site.service.exercises.get_for(who.learner, slug)
    ours = is_ours(slug, hashed, names, token, site.secret)
    found = cast("Any", site.service.submissions.part(bytes.fromhex(hashed)) if ours else None)
    if found is None:
        raise NoSuchSubmission("no such part")
    if names == PLAIN:
        text = value_code(read_value(found))
    else:
        text = assignments(names.split(","), [read_value(one) for one in found])
    open_to_all = site.service.exercises.is_open_to_all(slug)
    kept = f"{'public' if open_to_all else 'private'}, {FOR_EVER}"
    return _code(request, text, {"Cache-Control": kept})


@router.get("/submissions/{submission}/got/{number}.py")
def got(
    request: Request,
    submission: str,
    number: int,
    site: SitePart,
    who: Reader,
    read_token: str | None = None,
) -> Response:
    """What the code returned for a visible test, as its report has it."""
    found = site.service.submissions.get(submission_id(submission), who.learner, read_token)
    tests = cast("list[Mapping[str, Any]]", (found.report or {}).get("tests") or [])
    value = tests[number].get("got") if 0 <= number < len(tests) else None
    text = "" if value is None else value_code(read_value(value))
    if not text:
        raise NoSuchSubmission("no such value")
    return _code(request, text, {"Cache-Control": "private, no-cache"})


def _code(request: Request, text: str, headers: dict[str, str]) -> Response:
    return packed(request, text.encode(), "text/plain; charset=utf-8", 200, headers)
