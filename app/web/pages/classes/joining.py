"""Learners come in, leave a device, and look after what is kept of them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse, Response

from app.model.classes import Class
from app.service.school import Complaints, Conflict, NoSuchCode, TooOften
from app.service.school.people import Seated
from app.web import frames
from app.web.deps import COUNTED, OWN_PAGES_ONLY, Reader, Site, SitePart, Writer, become
from app.web.form import Form, form
from app.web.guard import notes
from app.web.session import COOKIE
from app.web.wall import Role, needs

router = APIRouter(include_in_schema=False, dependencies=COUNTED)
Sent = Annotated[Form, Depends(form)]
ANYBODY = [needs(Role.VISITOR)]
ANYBODY_POSTS = [needs(Role.VISITOR), *OWN_PAGES_ONLY]


def _page(request: Request, site: Site, status: int = 200, **context: object) -> Response:
    defaults: dict[str, object] = {
        "made": None, "staff": (), "code": "", "name": "", "seat": "", "said": {}
    }  # fmt: skip
    return site.renderer.page(request, "class/join.html", status=status, **{**defaults, **context})


@router.get("/join", dependencies=ANYBODY)
@router.get("/join/", dependencies=ANYBODY)
def code_page(request: Request, site: SitePart, code: str = "") -> Response:
    """Where to type a code; a form without script sends it here."""
    if code:
        plain = "".join(letter for letter in code if letter.isalnum())[:20]
        return RedirectResponse(f"/join/{plain or 'none'}", 303)
    return _page(request, site)


@router.get("/join/{code}", dependencies=ANYBODY)
def join_page(request: Request, code: str, site: SitePart, who: Writer) -> Response:
    """The class and one field; who is in already lands on its page.

    The cookie comes with it, so that a button pressed twice lets one person in and not two.
    """
    people = site.service.school.people
    try:
        made = people.look(code, address=who.address)
    except NoSuchCode:
        return _page(request, site, 404, code=code, said={"code": "none"})
    seat = people.seat_of(made.id, who.learner) if who.known else None
    if seat is not None and seat.state in ("active", "preview"):
        return RedirectResponse(f"/classes/{made.id}", 303)
    name = site.service.learners.get(who.learner).name if who.known else ""
    return _page(request, site, code=code, name=name, **_of(site, made))


def _of(site: Site, made: Class) -> dict[str, Any]:
    staff = site.service.school.classes.staff(made.id)
    return {"made": made, "staff": [one.name for one in staff if one.role == "instructor"]}


def _seated(request: Request, found: Seated) -> Response:
    become(request, found.learner)
    return RedirectResponse(f"/classes/{found.made.id}", 303)


@router.post("/join/seat", dependencies=ANYBODY_POSTS)
def take_seat(request: Request, site: SitePart, who: Writer, sent: Sent) -> Response:
    """Take the seat of a code; the browser becomes the person it was made for."""
    code, seat = sent.text("code"), sent.text("seat")
    try:
        return _seated(
            request,
            site.service.school.people.take_seat(seat, who.learner, address=who.address),
        )
    except NoSuchCode:
        words = "We don't know this seat code. It works once, for 7 days. Ask for a new one."
        status, said = 404, {"seat": words}
    except Conflict as error:
        status, said = 409, {"seat": str(error)}
    try:
        made = site.service.school.people.look(code, address=who.address)
    except (NoSuchCode, TooOften):
        return _page(request, site, status, seat=seat, said=said)
    return _page(request, site, status, code=code, seat=seat, said=said, **_of(site, made))


@router.post("/join/{code}", dependencies=ANYBODY_POSTS)
def join(request: Request, code: str, site: SitePart, who: Writer, sent: Sent) -> Response:
    """Come in by a name."""
    people = site.service.school.people
    try:
        return _seated(
            request, people.join(code, who.learner, sent.text("name"), address=who.address)
        )
    except NoSuchCode:
        return _page(request, site, 404, code=code, said={"code": "none"})
    except Complaints as error:
        made = people.look(code, address=who.address)
        return _page(
            request,
            site,
            422,
            code=code,
            name=sent.text("name"),
            said=error.fields,
            **_of(site, made),
        )


@router.post("/leave", dependencies=ANYBODY_POSTS)
def leave(request: Request, site: SitePart) -> Response:
    """Leave this device: the cookie ends, the browser forgets; drafts on the server stay."""
    notes(request).cookie = None
    answer = RedirectResponse("/?left=1", 303)
    answer.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax")
    answer.headers["Clear-Site-Data"] = '"storage"'
    if frames.COOKIE in request.cookies:
        site.service.school.accounts.sign_out(request.cookies[frames.COOKIE])
        answer.headers.append("Set-Cookie", frames.cookie("", 0))
    return answer


@router.get("/me", dependencies=ANYBODY)
def me_page(request: Request, site: SitePart, who: Reader) -> Response:
    """What is kept of the one who asks, where they are, and how to leave or be deleted."""
    school = site.service.school
    running = school.privacy.running_classes(who.learner) if who.known else ()
    return site.renderer.page(
        request,
        "class/me.html",
        learner=site.service.learners.get(who.learner) if who.known else None,
        running=running,
        asked=(),
    )


@router.get("/me/export.zip", dependencies=ANYBODY)
def export(site: SitePart, who: Reader) -> Response:
    """All that is kept, as JSON and .py files."""
    data = site.service.school.privacy.archive(who.learner)
    headers = {"Content-Disposition": 'attachment; filename="mlgrind-my-data.zip"'}
    return Response(data, media_type="application/zip", headers=headers)


@router.post("/me/delete", dependencies=ANYBODY_POSTS)
def delete(request: Request, site: SitePart, who: Reader, sent: Sent) -> Response:
    """Delete what no running class needs; else ask its instructors."""
    if sent.text("sure") != "yes":
        return RedirectResponse("/me#delete", 303)
    asked = site.service.school.privacy.ask_to_delete(who.learner)
    if asked.deleted:
        return leave(request, site)
    return site.renderer.page(
        request,
        "class/me.html",
        learner=site.service.learners.get(who.learner),
        running=site.service.school.privacy.running_classes(who.learner),
        asked=asked.waiting,
    )
