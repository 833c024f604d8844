"""Staff sign in and out, and set a password by a link; the host keeps accounts."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse, Response

from app.model.classes import AccountId
from app.service.school import Complaints, NotThere, TooOften, WrongPassword
from app.web import frames
from app.web.arrival import neighbourhood
from app.web.deps import COUNTED, OWN_PAGES_ONLY, Site, SitePart
from app.web.form import Form, form
from app.web.guard import notes
from app.web.wall import (
    STAFF_COOKIE,
    InsidePart,
    Role,
    needs,
    signed_in,
    staff_cookie,
)

router = APIRouter(include_in_schema=False, dependencies=COUNTED)
Sent = Annotated[Form, Depends(form)]
ANYBODY = [needs(Role.VISITOR)]
ANYBODY_POSTS = [needs(Role.VISITOR), *OWN_PAGES_ONLY]


def _next(text: str) -> str:
    """Where to go on: an address of ours or the list of classes."""
    ours = text.startswith("/") and not text.startswith("//") and "\\" not in text
    return text if ours and text.isprintable() else "/classes"


def _enter(request: Request, token: str, where: str) -> Response:
    answer = RedirectResponse(where, 303)
    secure = notes(request).arrival.secure
    answer.headers.append("Set-Cookie", staff_cookie(token, secure=secure))
    return answer


@router.get("/staff/sign-in", dependencies=ANYBODY)
def sign_in_page(request: Request, site: SitePart, next: str = "/classes") -> Response:
    """The form; who is signed in already goes on."""
    if signed_in(request) is not None:
        return RedirectResponse(_next(next), 303)
    return _form(request, site, next=_next(next))


def _form(request: Request, site: Site, status: int = 200, **context: object) -> Response:
    defaults = {"next": "/classes", "login": "", "complaint": "", "wait": 0}
    return site.renderer.page(
        request, "class/sign-in.html", status=status, **{**defaults, **context}
    )


@router.post("/staff/sign-in", dependencies=ANYBODY_POSTS)
def sign_in(request: Request, site: SitePart, sent: Sent) -> Response:
    """Sign in, or the form again with one sentence."""
    login, where = sent.text("login"), _next(sent.text("next"))
    address = neighbourhood(notes(request).arrival.address)
    try:
        found = site.service.school.accounts.sign_in(login, sent.text("password"), address=address)
    except WrongPassword:
        words = "This login and password don’t match."
        return _form(request, site, 403, next=where, login=login, complaint=words)
    except TooOften as error:
        return _form(request, site, 429, next=where, login=login, wait=error.retry_after)
    return _enter(request, found.token, where)


@router.post("/staff/sign-out", dependencies=ANYBODY_POSTS)
def sign_out(request: Request, site: SitePart) -> Response:
    """End the session here."""
    token = request.cookies.get(STAFF_COOKIE)
    if token:
        site.service.school.accounts.sign_out(token)
    answer = RedirectResponse("/staff/sign-in", 303)
    if frames.COOKIE in request.cookies:
        site.service.school.accounts.sign_out(request.cookies[frames.COOKIE])
        answer.headers.append("Set-Cookie", frames.cookie("", 0))
    secure = notes(request).arrival.secure
    answer.headers.append("Set-Cookie", staff_cookie("", secure=secure, lasts_s=0))
    return answer


@router.get("/staff/link/{token}", dependencies=ANYBODY)
def link_page(request: Request, token: str, site: SitePart) -> Response:
    """The form that a link opens: the first password, or a new one."""
    return _link(request, site, token)


def _link(
    request: Request, site: Site, token: str, status: int = 200, **context: object
) -> Response:
    notes(request).noindex = True
    try:
        account = site.service.school.accounts.of_link(token)
    except NotThere:
        return site.renderer.page(request, "class/link.html", status=404, account=None)
    defaults = {"login": account.login or "", "name": account.name, "said": {}}
    answer = site.renderer.page(
        request,
        "class/link.html",
        status=status,
        account=account,
        token=token,
        **{**defaults, **context},
    )
    answer.headers["Referrer-Policy"] = "no-referrer"
    return answer


@router.post("/staff/link/{token}", dependencies=ANYBODY_POSTS)
def set_password(request: Request, token: str, site: SitePart, sent: Sent) -> Response:
    """Set the password and sign in, or the form again with complaints at their fields."""
    login, name = sent.text("login"), sent.text("name")
    try:
        found = site.service.school.accounts.set_password(token, sent.text("password"), login, name)
    except NotThere:
        return _link(request, site, token)
    except Complaints as error:
        return _link(request, site, token, 422, login=login, name=name, said=error.fields)
    return _enter(request, found.token, "/classes")


HOST = [needs(Role.HOST)]
HOST_POSTS = [needs(Role.HOST), *OWN_PAGES_ONLY]


@router.get("/staff/accounts", dependencies=HOST)
def accounts_page(request: Request, site: SitePart, who: InsidePart) -> Response:
    """Who may sign in here."""
    return _accounts(request, site, who.account.id)


def _accounts(
    request: Request, site: Site, me: AccountId, status: int = 200, **context: object
) -> Response:
    defaults: dict[str, object] = {"said": {}, "typed": {}, "link": "", "of": None}
    return site.renderer.page(
        request,
        "class/accounts.html",
        status=status,
        accounts=site.service.school.accounts.all(),
        me=me,
        **{**defaults, **context},
    )


@router.post("/staff/accounts", dependencies=HOST_POSTS)
def change_accounts(request: Request, site: SitePart, who: InsidePart, sent: Sent) -> Response:
    """Make an account, make a link that sets a password, or shut an account."""
    accounts, by = site.service.school.accounts, who.account
    try:
        if sent.text("do") == "add":
            made, token = accounts.add(sent.text("login"), sent.text("name"), by)
            return _accounts(request, site, by.id, link=_url(request, site, token), of=made)
        account = AccountId(sent.text("account"))
        if sent.text("do") == "link":
            token = accounts.link(account, by)
            of = next(one for one in accounts.all() if one.id == account)
            return _accounts(request, site, by.id, link=_url(request, site, token), of=of)
        accounts.disable(account, by, disabled=sent.text("do") == "disable")
    except Complaints as error:
        typed = {"login": sent.text("login"), "name": sent.text("name")}
        return _accounts(request, site, by.id, 422, said=error.fields, typed=typed)
    return RedirectResponse("/staff/accounts", 303)


def _url(request: Request, site: Site, token: str) -> str:
    origin = site.settings.public_url or notes(request).arrival.origin
    return f"{origin.rstrip('/')}/staff/link/{token}"
