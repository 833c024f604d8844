"""The host's page of campuses: register one, switch it on, allow its places, and our keys."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse, Response

from app.service.school import Complaints
from app.web.deps import COUNTED, OWN_PAGES_ONLY, Site, SitePart
from app.web.form import Form, form
from app.web.pages.campus.campus_frame import origin_of
from app.web.pages.classes.frame import fields
from app.web.wall import InsidePart, Role, needs

router = APIRouter(include_in_schema=False, dependencies=COUNTED)
Sent = Annotated[Form, Depends(form)]
FIELDS = ("name", "issuer", "client_id", "auth_url", "token_url", "jwks_url", "token_audience",
          "deployment")  # fmt: skip


@router.get("/staff/campus", dependencies=[needs(Role.HOST)])
def campus_page(request: Request, site: SitePart) -> Response:
    """Which campuses may launch here."""
    return _page(request, site)


def _page(request: Request, site: Site, status: int = 200, **more: object) -> Response:
    campus, origin = site.service.school.campus, origin_of(request, site)
    return site.renderer.page(
        request,
        "campus/host.html",
        status=status,
        origin=origin,
        https=origin.startswith("https://"),
        all=campus.registering.all(),
        counts=campus.counts(),
        oldest=campus.oldest_waiting(),
        **{"said": {}, "typed": {}, "offer": "", "which": "", **more},
    )


@router.post("/staff/campus", dependencies=[needs(Role.HOST), *OWN_PAGES_ONLY])
def change(request: Request, site: SitePart, who: InsidePart, sent: Sent) -> Response:
    """One change; a form that is off comes back with its complaints."""
    registering, by = site.service.school.campus.registering, who.account
    do, which = sent.text("do"), sent.text("registration")
    try:
        if do == "add":
            registering.add(fields(sent, FIELDS), by)
        elif do in ("active", "off"):
            registering.set_state(which, "active" if do == "active" else "off", by)
        elif do in ("allow", "shut"):
            state = "allowed" if do == "allow" else "off"
            registering.set_deployment(which, sent.text("deployment"), state, by)  # type: ignore[arg-type]
        elif do == "origins":
            registering.set_origins(which, sent.text("origins"), by)
        elif do == "key":
            registering.new_key(by)
        elif do == "offer":
            address = f"{origin_of(request, site)}/lti/register/{registering.offer(by)}"
            return _page(request, site, offer=address)
    except Complaints as error:
        typed = fields(sent, (*FIELDS, "origins"))
        return _page(request, site, 422, said=error.fields, typed=typed, which=which)
    return RedirectResponse("/staff/campus", 303)
