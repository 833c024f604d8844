"""A campus registers itself: its administrator opens our offer inside the campus system."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from app.classroom.launch import NotBelieved
from app.service.school import Conflict, NotThere
from app.web.deps import COUNTED, OWN_PAGES_ONLY, Site, SitePart
from app.web.form import Form, form
from app.web.guard import notes
from app.web.pages.campus.campus_frame import framed_page, need_https, refused
from app.web.wall import Role, needs

router = APIRouter(include_in_schema=False, dependencies=[*COUNTED, needs(Role.PLATFORM)])
Sent = Annotated[Form, Depends(form)]
NO_OFFER = "This address was used already, or it is too old. Whoever runs ML Grind makes another."


@router.get("/lti/register/{offer}")
def offer_page(request: Request, offer: str, site: SitePart) -> Response:
    """Who asks, and one button; nothing is asked of the campus before it is pressed."""
    return _page(request, site, offer)


def _page(request: Request, site: Site, offer: str, status: int = 200, said: str = "") -> Response:
    try:
        need_https(request, site)
        if not site.service.school.campus.offering.is_good(offer):
            raise NotBelieved(NO_OFFER, 404)
    except NotBelieved as error:
        return refused(request, site, error)
    notes(request).opener = "unsafe-none"
    query = request.query_params
    return framed_page(
        request,
        site,
        "register.html",
        None,
        status=status,
        offer=offer,
        configuration=query.get("openid_configuration", ""),
        token=query.get("registration_token", ""),
        said=said,
    )


@router.post("/lti/register/{offer}", dependencies=OWN_PAGES_ONLY)
def register(request: Request, offer: str, site: SitePart, sent: Sent) -> Response:
    """Register with the campus; then its window closes by itself."""
    configuration, token = sent.text("configuration"), sent.text("token")
    try:
        origin = need_https(request, site)
        made = site.service.school.campus.offering.register(offer, configuration, token, origin)
    except NotBelieved as error:
        return refused(request, site, error)
    except NotThere:
        return refused(request, site, NotBelieved(NO_OFFER, 404))
    except Conflict as error:
        return refused(request, site, NotBelieved(str(error), 502))
    notes(request).opener = "unsafe-none"
    return framed_page(request, site, "registered.html", made, made=made)
