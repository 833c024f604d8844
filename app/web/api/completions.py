"""The interface to what the editor completes: an address that may be kept for ever."""

from __future__ import annotations

import hashlib
import json

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from starlette.exceptions import HTTPException

from app.web.api import responses
from app.web.api.openapi import READS
from app.web.deps import COUNTED, Site, SitePart
from app.web.html.assets import FOR_EVER
from app.web.html.render import answer
from app.web.wall import Role, needs

router = APIRouter(prefix="/api", tags=["exercises"], dependencies=[*COUNTED, needs(Role.VISITOR)])


def _digest(site: Site) -> str:
    """Changes when the list does: with a release of NumPy, or of ours."""
    listed = json.dumps(site.service.exercises.names()).encode()
    return hashlib.sha256(listed).hexdigest()[:16]


@router.get(
    "/completions",
    status_code=307,
    response_class=RedirectResponse,
    responses={307: {"description": "The list's own address; it may be kept for ever."}},
)
def names_address(site: SitePart) -> Response:
    """Where the names that learners may use are listed."""
    address = f"/api/completions/{_digest(site)}"
    return RedirectResponse(address, 307, headers={"Cache-Control": "no-cache"})


@router.get("/completions/{digest}", responses={200: {"model": responses.NamesJson}, **READS})
def read_names(request: Request, digest: str, site: SitePart) -> Response:
    """The names that learners may use, how they are called, and what they do."""
    if digest != _digest(site):
        raise HTTPException(404)
    content = {"names": site.service.exercises.names()}
    return answer(request, content, headers={"Cache-Control": FOR_EVER})
