"""The host's page of the machines: line, runners, what could not be judged, opinions, scores."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse, Response

from app.web.deps import COUNTED, OWN_PAGES_ONLY, SitePart
from app.web.form import Form, form
from app.web.wall import Role, needs

router = APIRouter(include_in_schema=False, dependencies=COUNTED)
Sent = Annotated[Form, Depends(form)]
MOST = 100
"""Parked submissions that the page shows; `mlgrind queue list` shows all."""

OPINIONS = {
    "odd": "one runner is contradicted by two others, and gets no more orders",
    "varies": "the code itself gives different verdicts",
    "undecided": "who is right is not known",
}
"""What follows from opinions that differ, in words."""


@router.get("/staff/operator", dependencies=[needs(Role.HOST)])
def operator_page(request: Request, site: SitePart) -> Response:
    """How the machines are."""
    operations, ready = site.service.operations, site.service.ready()
    parked = operations.parked()
    return site.renderer.page(
        request,
        "class/operator.html",
        ready=ready,
        runners=operations.runners(),
        parked=parked[:MOST],
        more=len(parked) - MOST,
        differing=operations.differing(),
        words=OPINIONS,
        counts=site.service.school.campus.counts(),
        oldest=site.service.school.campus.oldest_waiting(),
    )


@router.post("/staff/operator", dependencies=[needs(Role.HOST), *OWN_PAGES_ONLY])
def operate(site: SitePart, sent: Sent) -> Response:
    """Use a runner again, or try parked submissions again: one, or all."""
    operations, do = site.service.operations, sent.text("do")
    if do == "let in":
        operations.let_in(sent.text("runner"), sent.text("address"))
    elif do == "retry":
        operations.retry([sent.text("submission")])
    elif do == "retry all":
        operations.retry(None)
    return RedirectResponse("/staff/operator", 303)
