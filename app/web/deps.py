"""What every route may reach for: the service, the settings, the renderer, and who is asking.

None of it waits for anything, and all of it is `async`: FastAPI sends a plain function to the
thread pool, which is a hop there and back for each of them and each request.
"""

from __future__ import annotations

import hashlib
import re
import time
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends, Request
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from app.config import Settings
from app.model import LearnerId, SubmissionId
from app.service import NoSuchSubmission, Service
from app.web import frames, who
from app.web.arrival import neighbourhood
from app.web.guard import notes, refuse_elsewhere, refuse_foreign
from app.web.html.assets import Assets
from app.web.html.render import Renderer
from app.web.patience import Patience
from app.web.reads import Reads
from app.web.session import COOKIE, EMBEDDED, Sessions
from app.web.threads import at_once

_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


SOON_S = 0.05
"""Who waited no longer for their turn is not asked whether they still wait: asking takes a tenth of
what a page takes."""

NOBODY = LearnerId("nobody")
"""A learner that nothing belongs to: somebody without a cookie."""


@dataclass(frozen=True)
class Site:
    """What the site is joined from, once.

    `inline_s`: a submission's report comes with the answer when it is there this soon (seconds),
    else its address does.
    """

    service: Service
    settings: Settings
    sessions: Sessions
    assets: Assets
    renderer: Renderer
    secret: bytes
    inline_s: float
    patience: Patience = field(default_factory=Patience)
    reads: Reads = field(default_factory=Reads)


@dataclass(frozen=True)
class Visitor:
    """Who asks: a learner and an address; `known` is false where no cookie came along."""

    learner: LearnerId
    address: str
    known: bool

    @property
    def alias(self) -> str:
        """A name for the learner that a page may hold: it says nothing of the id."""
        return hashlib.sha256(b"alias:" + self.learner.encode()).hexdigest()[:16]


def site_of(request: Request) -> Site:
    """The site that a request came to."""
    found = request.app.state.site
    assert isinstance(found, Site)  # noqa: S101 (site.create puts it there)
    return found


async def cookie_of(request: Request) -> tuple[LearnerId | None, bool]:
    """The learner of the cookie that came along, and whether it is time to send it again.

    Inside a frame on another site's page only the cookie of that frame comes. Who was signed in by
    a campus is that learner, however this browser was used before. Read once a request.
    """
    carried = notes(request)
    if carried.session is None:
        carried.session = await _cookie_of(request)
    return carried.session


async def _cookie_of(request: Request) -> tuple[LearnerId | None, bool]:
    if frames.COOKIE in request.cookies:
        came = await run_in_threadpool(frames.framed, request, site_of(request).service)
        if came is not None and came.learner is not None:
            return came.learner, False
    return own_cookie(request)


def own_cookie(request: Request) -> tuple[LearnerId | None, bool]:
    """The same without a campus."""
    sessions = site_of(request).sessions
    learner, send = sessions.read(request.cookies.get(COOKIE))
    if learner is None and EMBEDDED in request.cookies:
        learner, send = sessions.read(request.cookies[EMBEDDED])
    return learner, send


async def reader(request: Request) -> Visitor:
    """Who asks; somebody without a cookie gets none, and a learner that nothing belongs to."""
    found = site_of(request)
    learner, _ = await cookie_of(request)
    address = neighbourhood(notes(request).arrival.address)
    if learner is not None:
        return Visitor(await _now(request, found, learner), address, True)
    return Visitor(NOBODY, address, False)


async def visitor(request: Request) -> Visitor:
    """Who asks; somebody without a cookie becomes a learner, and the answer carries the cookie."""
    found = site_of(request)
    learner, send = await cookie_of(request)
    known = learner is not None
    learner_now = (
        found.service.learners.new() if learner is None else await _now(request, found, learner)
    )
    if send:
        become(request, learner_now)
    address = neighbourhood(notes(request).arrival.address)
    if known:
        found.service.came_back(learner_now, address)
    return Visitor(learner_now, address, known)


async def admitted(request: Request) -> None:
    """Count a request, whatever it asks for, and let one who reads much wait for their turn.

    Raises Refused where one visitor sends too many, ClientDisconnect where they did not wait.
    """
    found, carried = site_of(request), notes(request)
    learner, _ = await cookie_of(request)
    address = neighbourhood(carried.arrival.address)
    found.service.admit_request(learner, address)
    if request.method == "GET" and not request.url.path.startswith("/static/"):
        owner = learner or f"@{address}"
        began = time.monotonic()
        carried.leave = await found.reads.turn(owner, guest=learner is None)
        if time.monotonic() - began > SOON_S:
            await _still_there(request)


async def _still_there(request: Request) -> None:
    """Raise ClientDisconnect where they hung up; the body is kept, for listening takes it off."""
    await request.body()
    if await request.is_disconnected():
        raise ClientDisconnect


async def _now(request: Request, site: Site, learner: LearnerId) -> LearnerId:
    """Who has a cookie's work now, whom the head of the page names."""
    found = await _joined(request, site, learner)
    notes(request).who = lambda: who.learner(site.service, found)
    return found


async def _joined(request: Request, site: Site, learner: LearnerId) -> LearnerId:
    """Who has a cookie's work now. Where it was joined to another's, the cookie is renewed.

    Asked of the database, which may wait, only where it was not asked a moment ago.
    """
    if site.service.learners.is_recent(learner):
        return learner
    found = (await at_once(site.service.learners.get, learner)).id
    if found != learner:
        become(request, found)
    return found


def become(request: Request, learner: LearnerId) -> None:
    """Let the answer carry a cookie for this learner."""
    carried, sessions = notes(request), site_of(request).sessions
    if EMBEDDED in request.cookies and COOKIE not in request.cookies:
        carried.cookie = sessions.embedded_header(learner)
    else:
        carried.cookie = sessions.header(learner, secure=carried.arrival.secure)


async def _site(request: Request) -> Site:
    return site_of(request)


def submission_id(text: str) -> SubmissionId:
    """An id as it stands in an address. Raises NoSuchSubmission for what can be none."""
    if not _ID.fullmatch(text):
        raise NoSuchSubmission(text)
    return SubmissionId(text)


SitePart = Annotated[Site, Depends(_site)]
Reader = Annotated[Visitor, Depends(reader)]
Writer = Annotated[Visitor, Depends(visitor)]

COUNTED = [Depends(refuse_elsewhere), Depends(admitted)]
"""For routers whose requests are counted and come by a name of ours: all but a host's."""

OWN_PAGES_ONLY = [Depends(refuse_foreign)]
"""For routers that change something: a page of another site is refused before anything is read."""
