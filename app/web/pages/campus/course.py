"""A course and its class: connected once, links given their places, content chosen.

Each page stands behind a ticket that only the launch's own browser has.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse, Response

from app.classroom.dates import zone_names
from app.classroom.launch import NotBelieved
from app.service.school import Complaints, Conflict, NotThere
from app.service.school.campus.arrivals import Arrived
from app.service.school.campus.registering import origin_of as origin_in
from app.web.deps import COUNTED, OWN_PAGES_ONLY, Site, SitePart
from app.web.form import Form, form
from app.web.guard import notes
from app.web.pages.campus.campus_frame import framed_page, origin_of, refused
from app.web.pages.campus.coming_in import USED_UP
from app.web.wall import Role, needs

NOT_YOURS = "This class is over, or no longer yours to change. Open the link in your course again."

router = APIRouter(include_in_schema=False, dependencies=[*COUNTED, needs(Role.PLATFORM)])
Sent = Annotated[Form, Depends(form)]


def _came(site: Site, ticket: str, then: str) -> Arrived:
    """Whose page this is. Raises NotBelieved."""
    found = site.service.school.campus.tickets.look(ticket)
    if found is None or found.then != then:
        raise NotBelieved(USED_UP, 403)
    if not site.service.school.campus.connecting.may(found):
        raise NotBelieved(NOT_YOURS, 403)
    return found


def _take(site: Site, ticket: str, then: str) -> Arrived:
    """The same, and the ticket is used up: of two requests at once, one has it.

    Raises NotBelieved.
    """
    _came(site, ticket, then)
    found = site.service.school.campus.tickets.take(ticket)
    if found is None:
        raise NotBelieved(USED_UP, 403)
    return found


# ------------------------------------------------------------------ connecting


@router.get("/lti/connect/{ticket}")
def connect_page(request: Request, ticket: str, site: SitePart) -> Response:
    """A course that is not connected yet: a new class, or one of theirs."""
    try:
        return _connect(request, site, ticket, _came(site, ticket, "connect"))
    except NotBelieved as error:
        return refused(request, site, error)


def _connect(
    request: Request, site: Site, ticket: str, came: Arrived, status: int = 200, **more: object
) -> Response:
    campus, account = site.service.school.campus, came.account
    classes = () if account is None else campus.connecting.choices(account)
    return framed_page(
        request,
        site,
        "connect.html",
        came.registration,
        status=status,
        ticket=ticket,
        course=came.course,
        classes=[made for made, _ in classes],
        zones=sorted(zone_names()),
        **{"said": {}, "typed": {}, **more},
    )


@router.post("/lti/connect/{ticket}", dependencies=OWN_PAGES_ONLY)
def connect(request: Request, ticket: str, site: SitePart, sent: Sent) -> Response:
    """Connect it; then the launch goes on where it wanted to."""
    campus = site.service.school.campus
    connecting, tickets = campus.connecting, campus.tickets
    try:
        came = _take(site, ticket, "connect")
    except NotBelieved as error:
        return refused(request, site, error)
    try:
        if sent.text("do") == "new":
            made = connecting.to_new_class(came, sent.text("zone"), sent.text("copy"))
        elif sent.text("do") == "code":
            made = connecting.by_code(came, sent.text("code"))
        else:
            made = connecting.to_class(came, sent.text("class"))
    except Complaints as error:
        tickets.give_back(ticket, came)
        typed = {"zone": sent.text("zone"), "code": sent.text("code")}
        return _connect(request, site, ticket, came, 422, said=error.fields, typed=typed)
    except NotThere:
        tickets.give_back(ticket, came)
        said = {"class": "Choose one of your classes."}
        return _connect(request, site, ticket, came, 422, said=said)
    except Conflict as error:
        return refused(request, site, NotBelieved(str(error), 409))
    if came.launch.kind == "deep":
        return _to(f"/lti/deep/{tickets.next_page(came, 'deep')}")
    return _to(f"/classes/{made.id}/campus")


def _to(path: str) -> Response:
    return RedirectResponse(path, 303)


# ------------------------------------------------------------------ a link's place


@router.get("/lti/choose/{ticket}")
def choose_page(request: Request, ticket: str, site: SitePart) -> Response:
    """A link that leads nowhere yet: to an assignment, or to the class's page."""
    try:
        came = _came(site, ticket, "choose")
    except NotBelieved as error:
        return refused(request, site, error)
    given = site.service.school.campus.offering.choices(came)
    return framed_page(
        request, site, "choose.html", came.registration, ticket=ticket, given=given, came=came
    )


@router.post("/lti/choose/{ticket}", dependencies=OWN_PAGES_ONLY)
def choose(request: Request, ticket: str, site: SitePart, sent: Sent) -> Response:
    """Keep where the link leads from now on."""
    campus = site.service.school.campus
    try:
        came = _came(site, ticket, "choose")
        found = campus.connecting.choose(came, sent.text("assignment"))
    except NotBelieved as error:
        return refused(request, site, error)
    except NotThere:
        return refused(request, site, NotBelieved("This assignment is not there any more.", 404))
    campus.tickets.take(ticket)
    return _to(came.path if found is None else f"{came.path}/{found.exercise}")


# ------------------------------------------------------------------ deep linking


@router.get("/lti/deep/{ticket}")
def deep_page(request: Request, ticket: str, site: SitePart) -> Response:
    """What of the class goes into the course."""
    try:
        came = _came(site, ticket, "deep")
    except NotBelieved as error:
        return refused(request, site, error)
    given = site.service.school.campus.offering.choices(came)
    return framed_page(
        request, site, "deep.html", came.registration, ticket=ticket, given=given, came=came
    )


@router.post("/lti/deep/{ticket}", dependencies=OWN_PAGES_ONLY)
def deep(request: Request, ticket: str, site: SitePart, sent: Sent) -> Response:
    """Back to the course with what was chosen, in a form that sends itself."""
    campus, origin = site.service.school.campus, origin_of(request, site)
    try:
        came = _came(site, ticket, "deep")
    except NotBelieved as error:
        return refused(request, site, error)
    chosen = [name for name in sent.names() if name == "class" or name.startswith("item-")]
    if sent.text("item"):  # where one only may be chosen
        chosen.append(sent.text("item"))
    message = campus.offering.answer(came, [name.removeprefix("item-") for name in chosen], origin)
    campus.tickets.take(ticket)
    settings = came.launch.deep
    there = "" if settings is None else settings.return_url
    target = origin_in(there)
    if target is None:
        return refused(request, site, NotBelieved("Your campus accepts no choice over https.", 400))
    notes(request).form_action = (target,)
    return framed_page(
        request, site, "sending.html", came.registration, address=there, message=message
    )
