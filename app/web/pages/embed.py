"""An exercise in a frame on a course's own page: Jupyter Book, Quarto, any page of a listed origin.

Only the origins of MLGRIND_EMBED_ORIGINS may show it, and only this page. What is done there is
kept by a cookie of the frame's own (CHIPS: another one for each site), which needs https.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from app.model import Slug
from app.web.deps import COUNTED, NOBODY, SitePart, Visitor, cookie_of, reader, site_of
from app.web.guard import notes
from app.web.html.render import answer
from app.web.pages.workbench import Shown, workbench
from app.web.wall import Role, needs

router = APIRouter(include_in_schema=False, dependencies=[*COUNTED, needs(Role.VISITOR)])

OFF = "No page may show exercises of this server in a frame: MLGRIND_EMBED_ORIGINS is not set."


async def framed(request: Request) -> Visitor:
    """Who asks inside a frame; somebody new is kept in mind where the browser speaks https."""
    found = await reader(request)
    learner, _ = await cookie_of(request)
    if learner is not None:
        return found
    site, carried = site_of(request), notes(request)
    new = site.service.learners.new()
    if carried.arrival.secure:
        carried.cookie = site.sessions.embedded_header(new)
    return Visitor(new, found.address, known=False)


@router.get("/embed/{slug}")
def embed(
    request: Request, slug: Slug, site: SitePart, who: Annotated[Visitor, Depends(framed)]
) -> Response:
    """The exercise alone: statement folded, editor, report. One that a class reserved is none."""
    origins = site.settings.embed_origins
    if not origins:
        raise HTTPException(403, OFF)
    site.service.exercises.get_for(NOBODY, slug)
    notes(request).frame_ancestors = origins
    notes(request).noindex = True
    return workbench(request, site, who, slug, Shown(template="embed.html"))


@router.get("/embed/{slug}/kept")
async def kept(request: Request, slug: Slug) -> Response:
    """Whether the browser sent a cookie along: the page asks, and says where its work stays."""
    learner, _ = await cookie_of(request)
    return answer(request, {"kept": learner is not None}, headers={"Cache-Control": "no-store"})
