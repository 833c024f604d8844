"""The wall between roles: each route says by one dependency who may come in, and that lets them in.

    needs(Role.INSTRUCTOR) ─▶ signed in? 303 to sign-in ─▶ teaches this class? 404 ─▶ the route

One who may not gets the same 404 as for what is not there. A class stands in the address as
`{class_id}`. What was found on the way in is at hand as `Inside`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import Depends, FastAPI, Request
from fastapi.dependencies.models import Dependant
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute

from app.model.bounds import BODY_BYTES
from app.model.classes import Account, Class, ClassId, Enrolment, StaffRole
from app.service import Service
from app.web import frames, who
from app.web.deps import own_cookie, site_of
from app.web.guard import notes

STAFF_COOKIE = "mlgrind-staff"
SIGN_IN = "/staff/sign-in"


class Role(StrEnum):
    """Who a route is for. VISITOR: anybody, for what their cookie or token opens.

    AUTHOR, OPERATOR and PLATFORM come in by other means, which their own routes check: the author's
    token or this machine, the metrics token, a campus's signed message.
    """

    VISITOR = "visitor"
    LEARNER = "learner"
    ASSISTANT = "assistant"
    INSTRUCTOR = "instructor"
    ACCOUNT = "account"
    HOST = "host"
    PLATFORM = "platform"
    OPERATOR = "operator"
    AUTHOR = "author"


OPEN = frozenset({Role.VISITOR, Role.PLATFORM, Role.OPERATOR, Role.AUTHOR})


@dataclass(frozen=True)
class Inside:
    """Who came in: the account, where it is staff; the class, their part in it, their seat."""

    staff: Account | None = None
    made: Class | None = None
    part: StaffRole | None = None
    seat: Enrolment | None = None

    @property
    def account(self) -> Account:
        """The account, on a route that needs one."""
        assert self.staff is not None  # noqa: S101 (the wall looked)
        return self.staff

    @property
    def in_class(self) -> Class:
        """The class, on a route of one."""
        assert self.made is not None  # noqa: S101 (the wall looked)
        return self.made

    @property
    def teaches(self) -> bool:
        """Whether the class's settings, people and grades are theirs to change."""
        return self.part == "instructor"


class SignInFirst(Exception):
    """No one is signed in, on a page of staff; `back` is where to go on afterwards."""

    def __init__(self, back: str) -> None:
        """Keep the address, which is one of ours."""
        super().__init__(back)
        self.back = back


@dataclass(frozen=True)
class Needs:
    """The dependency of a route that says and enforces its role.

    A body may be as long as `body_bytes`, for those only who may come in.
    """

    role: Role
    body_bytes: int = BODY_BYTES

    async def __call__(self, request: Request) -> None:
        """Let in or raise: SignInFirst, or a 404."""
        if self.role not in OPEN:
            found = await run_in_threadpool(_enter, self.role, request)
            request.state.inside = found
            _name(request, found)
        notes(request).body_bytes = self.body_bytes


def needs(role: Role, body_bytes: int = BODY_BYTES) -> Any:
    """What a route or a router lists under `dependencies`, exactly once."""
    return Depends(Needs(role, body_bytes))


def inside(request: Request) -> Inside:
    """Who came in through the wall."""
    found = getattr(request.state, "inside", None)
    return found if isinstance(found, Inside) else Inside()


async def _inside(request: Request) -> Inside:
    return inside(request)


InsidePart = Annotated[Inside, Depends(_inside)]


def signed_in(request: Request) -> Account | None:
    """Who of the staff is signed in in this browser, by a campus too; blocks for the store."""
    service = site_of(request).service
    came = frames.framed(request, service)
    token = request.cookies.get(STAFF_COOKIE)
    staff = service.school.accounts.signed_in(token) if token else None
    return staff if staff is not None or came is None else came.account


def _name(request: Request, found: Inside) -> None:
    """Let the head of the page say who came in."""
    service, seat, staff = site_of(request).service, found.seat, found.staff
    if seat is not None and seat.learner is not None and seat.state != "preview":
        learner = seat.learner
        notes(request).who = lambda: who.learner(service, learner)
    elif staff is not None:
        part = found.part or ("host" if staff.host else "staff")
        notes(request).who = lambda: who.staff(staff, part)


def _enter(role: Role, request: Request) -> Inside:
    found = _admitted(role, request)
    if found.staff is not None and (found.part is not None or found.seat is None):
        _keep_from_frames(request, found.staff)
    return found


def _keep_from_frames(request: Request, staff: Account) -> None:
    """Let no campus show what the staff's own cookie opened, and not the campus's session."""
    came = frames.framed(request, site_of(request).service)
    if came is None or came.account is None or came.account.id != staff.id:
        notes(request).frame_ancestors = ()


def _admitted(role: Role, request: Request) -> Inside:
    service = site_of(request).service
    staff = signed_in(request)
    class_id = ClassId(request.path_params.get("class_id", ""))
    if role is Role.LEARNER:
        return _learner(request, service, staff, class_id)
    if staff is None:
        raise SignInFirst(_back(request))
    if role is Role.ACCOUNT:
        return Inside(staff)
    if role is Role.HOST:
        if not staff.host:
            raise HTTPException(404)
        return Inside(staff)
    return _teacher(role, service, staff, class_id)


def _teacher(role: Role, service: Service, staff: Account, class_id: ClassId) -> Inside:
    part = service.school.classes.role(class_id, staff)
    if part is None or (role is Role.INSTRUCTOR and part != "instructor"):
        raise HTTPException(404)
    return Inside(staff, service.school.classes.get(class_id), part)


def _learner(
    request: Request, service: Service, staff: Account | None, class_id: ClassId
) -> Inside:
    """A learner with a seat in the class; also its staff, whom the route sends to the board.

    Who was removed, and everybody in an archived class, may still read their own grades.
    """
    part = None if staff is None else service.school.classes.role(class_id, staff)
    came = frames.framed(request, service)
    learner = None if came is None else came.learner
    learner = learner or own_cookie(request)[0]
    seat = None
    if learner is not None:
        learner = service.learners.get(learner).id
        seat = service.school.people.seat_of(class_id, learner)
    if seat is None and part is None:
        raise HTTPException(404)
    return Inside(staff, service.school.classes.get(class_id), part, seat)


def _back(request: Request) -> str:
    """The page to go on with after signing in: the one asked for, or the list of classes."""
    return request.url.path if request.method in ("GET", "HEAD") else "/classes"


def staff_cookie(token: str, *, secure: bool, lasts_s: int = 30 * 24 * 3600) -> str:
    """The Set-Cookie header of a session of staff; with `lasts_s` 0 it ends one."""
    kept = f"{STAFF_COOKIE}={token}; Path=/; Max-Age={lasts_s}; HttpOnly; SameSite=Lax"
    return f"{kept}; Secure" if secure else kept


async def _to_sign_in(_request: Request, error: Exception) -> Response:
    assert isinstance(error, SignInFirst)  # noqa: S101 (it is installed for that alone)
    return RedirectResponse(f"{SIGN_IN}?next={quote(error.back)}", 303)


def install(site: FastAPI) -> None:
    """Send who has to sign in to where one does."""
    site.add_exception_handler(SignInFirst, _to_sign_in)


def roles(route: BaseRoute) -> tuple[Role, ...]:
    """The roles a route is marked with: exactly one, or the wall has a hole."""
    dependant = getattr(route, "dependant", None)
    return tuple(_marks(dependant)) if isinstance(dependant, Dependant) else ()


def _marks(dependant: Dependant) -> Iterator[Role]:
    for each in dependant.dependencies:
        if isinstance(each.call, Needs):
            yield each.call.role
