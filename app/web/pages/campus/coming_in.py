"""Coming in from a course: login, launch, and what stands between a launch and its page.

    /lti/login ─▶ the campus ─▶ /lti/launch ─▶ /lti/enter/TICKET ─▶ the exercise
                                   │ no cookie               │ no cookie
                                   ▼                         ▼
                    the campus's storage ─▶ /lti/confirm     "Open in a new tab"

The login's cookie proves that the browser that launches is the one that began. Where a browser
keeps none inside a frame, the campus's own page keeps the proof (LTI platform storage).
"""

from __future__ import annotations

import hashlib
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse, Response

from app.classroom.launch import NotBelieved
from app.service.school.campus.arrivals import Arrived
from app.service.school.campus.launching import Begun
from app.service.tokens import same
from app.web import frames
from app.web.deps import COUNTED, OWN_PAGES_ONLY, Site, SitePart
from app.web.form import Form, form
from app.web.html.render import answer
from app.web.pages.campus.campus_frame import framed_page, need_https, refused
from app.web.session import IN_A_FRAME
from app.web.wall import Role, needs

router = APIRouter(include_in_schema=False, dependencies=COUNTED)
CAMPUS = [needs(Role.PLATFORM)]
Sent = Annotated[Form, Depends(form)]

LOGIN_S = 600
FIELDS = ("iss", "client_id", "login_hint", "lti_message_hint", "target_link_uri",
          "lti_deployment_id", "lti_storage_target")  # fmt: skip
NOT_WHOLE = "Your campus sent no message. Open the link in your course again."
USED_UP = (
    "This page was opened before, too long ago, or it is closed. "
    "Open the link in your course again."
)
NO_COOKIE = (
    "This browser keeps no cookie of this site, not even in a tab of its own, so it can’t be told "
    "who you are. Allow cookies for this site, or use another browser."
)


@router.get("/lti/jwks", dependencies=[needs(Role.VISITOR)])
def jwks(request: Request, site: SitePart) -> Response:
    """Our public keys, for campuses."""
    keys = site.service.school.campus.registering.jwks()
    return answer(request, keys, headers={"Cache-Control": "public, max-age=300"})


# ------------------------------------------------------------------ login


@router.get("/lti/login", dependencies=CAMPUS)
@router.post("/lti/login", dependencies=CAMPUS)
def login(request: Request, site: SitePart, sent: Sent) -> Response:
    """Begin a login as a campus asks: on to its sign-in page, with a state of ours."""
    query = request.query_params
    asked = {name: query.get(name, "") or sent.text(name) for name in FIELDS}
    try:
        origin = need_https(request, site)
        begun = site.service.school.campus.launching.begin(asked, origin)
    except NotBelieved as error:
        return refused(request, site, error)
    found = _put(request, site, begun) if begun.storage_target else _on(begun.address)
    kept = f"{_cookie(begun.state)}={begun.state}; Path=/; Max-Age={LOGIN_S}; {IN_A_FRAME}"
    found.headers.append("Set-Cookie", kept)
    return found


def _on(address: str) -> Response:
    """On to the campus's own sign-in page, which was registered; nothing else is a way out."""
    return RedirectResponse(address, 302, headers={"Cache-Control": "no-store"})


def _put(request: Request, site: Site, begun: Begun) -> Response:
    """A page that gives the state to the campus's page to keep, and goes on by itself."""
    data = {
        "do": "put",
        "target": begun.storage_target,
        "origin": begun.auth_origin,
        "key": _key(begun.state),
        "value": begun.state,
        "next": begun.address,
    }
    return framed_page(request, site, "storing.html", None, data=data, next=begun.address)


def _cookie(state: str) -> str:
    """The name of a login's cookie: several may be under way in one browser."""
    return f"__Host-mlgrind-lti-{_key(state)}"


def _key(state: str) -> str:
    return hashlib.sha256(b"state:" + state.encode("utf-8", "replace")).hexdigest()[:12]


# ------------------------------------------------------------------ launch


@router.post("/lti/launch", dependencies=CAMPUS)
def launch(request: Request, site: SitePart, sent: Sent) -> Response:
    """The message that ends a login; what is wrong with it is said in words."""
    launching = site.service.school.campus.launching
    state, token = sent.text("state"), sent.text("id_token")
    if sent.text("error"):
        return _campus_error(request, site, sent)
    if not state or not token:
        return refused(request, site, NotBelieved(NOT_WHOLE, 400))
    bound = same(request.cookies.get(_cookie(state), ""), state)
    if not bound and launching.waiting(state) is not None:
        return _unbound(request, site, state, token)
    return _come_in(request, site, state, token)


def _campus_error(request: Request, site: Site, sent: Form) -> Response:
    """The campus ended the login itself: its words, and the way back to it."""
    registration = site.service.school.campus.launching.failed(sent.text("state"))
    said = sent.text("error_description") or sent.text("error")
    name = "Your campus" if registration is None else registration.name
    error = NotBelieved(f"{name} did not sign you in. It says: “{said[:300]}”", 400)
    back = "" if registration is None or not registration.origins else registration.origins[0]
    return refused(request, site, error, back)


def _unbound(request: Request, site: Site, state: str, token: str) -> Response:
    """No cookie came along: the campus's page is asked for the state, else a new tab helps."""
    launching = site.service.school.campus.launching
    waiting = launching.waiting(state)
    assert waiting is not None  # noqa: S101 (the caller looked)
    data = None
    if waiting.storage_target:
        data = {
            "do": "get",
            "target": waiting.storage_target,
            "origin": launching.auth_origin(waiting),
            "key": _key(state),
            "value": state,
        }
    return framed_page(
        request,
        site,
        "unbound.html",
        None,
        status=401,
        data=data,
        state=state,
        token=token,
        again=f"/lti/login?{waiting.target}",
        tab=request.headers.get("sec-fetch-dest") == "document",
    )


@router.post("/lti/confirm", dependencies=[*CAMPUS, *OWN_PAGES_ONLY])
def confirm(request: Request, site: SitePart, sent: Sent) -> Response:
    """The launch again, from our own page, after the campus's page gave the state back."""
    state = sent.text("state")
    if not state or not same(sent.text("kept"), state):
        return refused(request, site, NotBelieved(NOT_WHOLE, 400))
    return _come_in(request, site, state, sent.text("id_token"))


def _come_in(request: Request, site: Site, state: str, token: str) -> Response:
    campus = site.service.school.campus
    try:
        origin = need_https(request, site)
        arrived = campus.arriving.arrive(campus.launching.launch(state, token, origin))
    except NotBelieved as error:
        return refused(request, site, error)
    over = f"{_cookie(state)}=; Path=/; Max-Age=0; {IN_A_FRAME}"
    if arrived.then == "deep":
        found = _to(f"/lti/deep/{campus.tickets.for_page(arrived)}")
    else:
        found = _signed_in(site, arrived)
    found.headers.append("Set-Cookie", over)
    return found


def _signed_in(site: Site, arrived: Arrived, hop: int = 0) -> Response:
    """Sign in, and on to where it is seen whether the browser kept the cookie."""
    campus = site.service.school.campus
    token, lasts_s = campus.sessions.open(arrived)
    tab = "?tab=2" if hop else ""
    found = _to(f"/lti/enter/{campus.tickets.make(arrived)}{tab}")
    found.headers.append("Set-Cookie", frames.cookie(token, lasts_s))
    return found


def _to(path: str) -> Response:
    return RedirectResponse(path, 303, headers={"Cache-Control": "no-store"})


# ------------------------------------------------------------------ after it


@router.get("/lti/enter/{ticket}", dependencies=[needs(Role.VISITOR)])
def enter(request: Request, ticket: str, site: SitePart, tab: int = 0) -> Response:
    """On to the page, where the browser kept the cookie; else by a new tab, once."""
    tickets = site.service.school.campus.tickets
    arrived = tickets.look(ticket)
    if arrived is None:
        return refused(request, site, NotBelieved(USED_UP, 403))
    came = frames.framed(request, site.service)
    account = None if arrived.account is None else arrived.account.id
    here = None if came is None or came.account is None else came.account.id
    if came is not None and here == account and (account or came.learner == arrived.learner):
        tickets.take(ticket)
        return _onward(site, arrived)
    if tab == 1 and not _by_another(request):
        taken = tickets.take(ticket)
        if taken is not None:
            return _signed_in(site, taken, hop=1)
    if tab or request.headers.get("sec-fetch-dest") == "document":
        return refused(request, site, NotBelieved(USED_UP if tab == 1 else NO_COOKIE, 403))
    return framed_page(
        request,
        site,
        "new_tab.html",
        arrived.registration,
        address=f"/lti/enter/{ticket}?{urlencode({'tab': 1})}",
    )


def _by_another(request: Request) -> bool:
    """Whether a link that is none of ours led here: who follows it would be signed in as others."""
    return request.headers.get("sec-fetch-site", "same-origin") != "same-origin"


def _onward(site: Site, arrived: Arrived) -> Response:
    """To the page, or first to what its instructor has to say once."""
    if arrived.then == "go":
        return _to(arrived.path)
    ticket = site.service.school.campus.tickets.for_page(arrived)
    return _to(f"/lti/{arrived.then}/{ticket}")
