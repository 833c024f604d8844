"""The interface to a learner's own things: drafts, progress, a name, the recovery code."""

from __future__ import annotations

from datetime import datetime

from fastapi import APIRouter, Request
from fastapi.responses import Response

from app.model import Slug
from app.web.api import responses
from app.web.api.openapi import READS, WRITES, errors
from app.web.api.requests import CodeBody, DraftBody, NameBody, RecoverBody
from app.web.deps import COUNTED, OWN_PAGES_ONLY, Reader, SitePart, Writer, become
from app.web.drafts import drafts_json
from app.web.html.render import answer
from app.web.wall import Role, needs

router = APIRouter(prefix="/api", tags=["learner"], dependencies=[*COUNTED, needs(Role.VISITOR)])


@router.put(
    "/exercises/{slug}/draft",
    responses={200: {"model": responses.DraftsJson}, **WRITES},
    dependencies=OWN_PAGES_ONLY,
)
def save_draft(
    request: Request, slug: Slug, body: DraftBody, site: SitePart, who: Writer
) -> Response:
    """Keep a text as it is typed; one that did not grow out of the others stands beside them."""
    drafts = site.service.drafts.save(
        who.learner, slug, body.source, base=body.base, device=body.device, address=who.address
    )
    return answer(request, drafts_json(drafts))


@router.get("/exercises/{slug}/drafts", responses={200: {"model": responses.DraftsJson}, **READS})
def read_drafts(request: Request, slug: Slug, site: SitePart, who: Reader) -> Response:
    """The text to open, and the others."""
    return answer(request, drafts_json(site.service.drafts.all(who.learner, slug)))


@router.delete(
    "/exercises/{slug}/drafts/{version}",
    status_code=204,
    responses={204: {"description": "The text is forgotten."}, **WRITES},
    dependencies=OWN_PAGES_ONLY,
)
def drop_draft(slug: Slug, version: str, site: SitePart, who: Reader) -> Response:
    """Forget one text."""
    site.service.exercises.get_for(who.learner, slug)
    site.service.drafts.drop(who.learner, slug, version, address=who.address)
    return Response(status_code=204)


@router.get("/progress", responses={200: {"model": responses.ProgressJson}, **errors()})
def progress(request: Request, site: SitePart, who: Reader) -> Response:
    """What was done with each exercise."""
    rows = site.service.learners.progress(who.learner)
    return answer(
        request,
        {
            "name": site.service.learners.get(who.learner).name if who.known else "",
            "exercises": [
                {
                    "exercise": row.exercise,
                    "state": row.state,
                    "attempts": row.attempts,
                    "hints": row.hints,
                    "solution": row.solution,
                    "first_passed_at": _iso(row.first_passed_at),
                    "last_at": _iso(row.last_at),
                    "last_verdict": row.last_verdict,
                    "last_passed": row.last_passed,
                    "last_total": row.last_total,
                }
                for row in rows
            ],
        },
    )


@router.put(
    "/name", responses={200: {"model": responses.NameJson}, **WRITES}, dependencies=OWN_PAGES_ONLY
)
def set_name(request: Request, body: NameBody, site: SitePart, who: Writer) -> Response:
    """Keep a name, tidied; an empty one takes it away."""
    name = site.service.learners.set_name(who.learner, body.name, address=who.address)
    return answer(request, {"name": name})


@router.post(
    "/recovery/code",
    responses={200: {"model": responses.CodeJson}, **WRITES},
    dependencies=OWN_PAGES_ONLY,
)
def make_code(request: Request, site: SitePart, who: Writer) -> Response:
    """A new recovery code, in place of an earlier one; it is shown this once."""
    return answer(
        request, {"code": site.service.learners.recovery_code(who.learner, address=who.address)}
    )


@router.post(
    "/recovery/look-up",
    responses={200: {"model": responses.WorkJson}, **WRITES},
    dependencies=OWN_PAGES_ONLY,
)
def look_up(request: Request, body: CodeBody, site: SitePart, who: Reader) -> Response:
    """Whose work a code opens, in counts and dates. It is not used yet."""
    summary = site.service.learners.look_up(body.code, address=who.address)
    return answer(
        request,
        {
            "name": summary.name,
            "submissions": summary.submissions,
            "passed": summary.passed,
            "hints": summary.hints,
            "first_at": _iso(summary.first_at),
            "last_at": _iso(summary.last_at),
        },
    )


@router.post(
    "/recovery/use",
    responses={200: {"model": responses.CodeJson}, **WRITES},
    dependencies=OWN_PAGES_ONLY,
)
def use_code(request: Request, body: RecoverBody, site: SitePart, who: Writer) -> Response:
    """Switch to the work of a code, or join this device's work to it. The next code comes back."""
    if body.join:
        found = site.service.learners.join(who.learner, body.code, address=who.address)
    else:
        found = site.service.learners.switch(body.code, address=who.address)
    become(request, found.learner)
    return answer(request, {"code": found.code})


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
