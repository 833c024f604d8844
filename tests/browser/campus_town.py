"""Campuses of every temper and the site they launch into, over https in this test alone.

A campus's page keeps what it is asked to keep, as the specification has it. Canvas shows its
courses on another site than the one that signs people in.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import jwt
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from app.campus import Fetcher, HttpsCampus, fetch
from app.config import Settings
from app.model import Slug
from app.model.classes import Class
from app.service import Service
from app.service.school.campus import whole
from tests.browser.two_sites import Certificates, over_tls
from tests.campus.platform import CANVAS, TEMPERS, P, Platform
from tests.service.world import EXERCISES, World, expectations
from tests.web.server import opened

SOFTMAX = Slug("stable-softmax")
DUE = {"points": "10", "opens_at": "2026-11-01T00:00", "due_at": "2099-01-01T00:00"}
KEEPER = """
addEventListener("message", event => {
  const {subject, message_id, key, value} = event.data ?? {};
  if (subject === "org.imsglobal.lti.close") document.title = "closed";
  if (!String(subject).startsWith("lti.")) return;
  window.kept ??= {};
  if (subject === "lti.put_data") window.kept[key] = value;
  event.source.postMessage(
    {subject: `${subject}.response`, message_id, key, value: window.kept[key]}, event.origin);
});
"""


def _framing(address: str, script: str = "") -> Response:
    frame = (
        f'<iframe src="{html.escape(address)}" title="ML Grind" width="800" height="700"></iframe>'
    )
    return HTMLResponse(
        f'<!doctype html><html lang="en"><title>Course</title>{script}<main>{frame}</main></html>'
    )


def campus_pages(platform: Platform) -> Starlette:
    """The campus in a browser: a course page with a frame, its sign-in page, and its services."""
    keeper = f"<script>{KEEPER}</script>"

    async def course(request: Request) -> Response:
        asked = request.query_params
        more = {"lti_storage_target": "_parent"} if "keeps" in asked else {}
        address = platform.login_address(asked["user"], asked["hint"], **more)
        return _framing(address, keeper if "keeps" in asked else "")

    async def registering(request: Request) -> Response:
        offer = f"{platform.tool}/lti/register/{request.query_params['offer']}"
        return _framing(f"{offer}?openid_configuration={platform.home}/configuration", keeper)

    async def auth(request: Request) -> Response:
        form = platform.authorize(str(request.url))
        fields = "".join(
            f'<input type="hidden" name="{name}" value="{html.escape(value)}">'
            for name, value in form.items()
        )
        page = f'<form method="post" action="{platform.tool}/lti/launch">{fields}</form>'
        script = "<script>document.forms[0].submit()</script>"
        return HTMLResponse(f"<!doctype html><title>Campus</title>{page}{script}")

    async def deep(request: Request) -> Response:
        form = await request.form()
        said = jwt.decode(str(form["JWT"]), options={"verify_signature": False})
        items = said[P + "lti-dl/claim/content_items"]
        if platform.temper.items_need_url and not all("url" in one for one in items):
            return HTMLResponse("<!doctype html><p id=came>An item without an address.</p>")
        came = ", ".join(html.escape(one["title"]) for one in items)
        return HTMLResponse(f'<!doctype html><title>Back</title><p id="came">{came}</p>')

    async def service(request: Request) -> Response:
        headers = {name.title(): value for name, value in request.headers.items()}
        address = f"{platform.home}{request.url.path}?{request.url.query}".rstrip("?")
        found = platform.fetch(request.method, address, await request.body(), headers)
        return Response(found.body, found.status, dict(found.headers))

    return Starlette(
        routes=[
            Route("/course", course),
            Route("/registering", registering),
            Route("/auth", auth),
            Route("/deep", deep, methods=["POST"]),
            Route("/{path:path}", service, methods=["GET", "POST"]),
        ]
    )


def _on_any(pages: Starlette, _port: int) -> Starlette:
    return pages


@dataclass(frozen=True)
class Places:
    """The campuses by their temper, and the site they launch into."""

    campuses: Mapping[str, Platform]
    service: Service
    site: str
    world: World

    def course(
        self, user: str, hint: str = "link-1", *, temper: str = "Moodle", keeps: bool = False
    ) -> str:
        """The address of a page of a course."""
        more = "&keeps=1" if keeps else ""
        campus = self.campuses[temper]
        return f"{campus.pages or campus.home}/course?user={user}&hint={hint}{more}"

    def class_of(self, temper: str) -> Class:
        """The class of a campus's course."""
        return next(one for one in self.service.school.classes.all() if temper in one.title)


@contextmanager
def campus_town(folder: Path) -> Iterator[Places]:
    """A site over one exercise, and a campus of each temper, registered but for D2L's."""
    shelf = folder / "exercises"
    shelf.mkdir()
    (shelf / SOFTMAX).symlink_to(EXERCISES / SOFTMAX)
    certificates = Certificates(folder)
    world = World(folder, folders=(shelf,))
    fetcher = Fetcher(("127.0.0.0/8",), certificates.trusted())

    def here(method: str, address: str, body: Any, headers: Any) -> Any:
        return fetcher.fetch(method, address.replace("campus.test", "127.0.0.1"), body, headers)

    campus = HttpsCampus(b"s" * 32, here, clock=lambda: world.now.timestamp())
    world.campus = lambda: campus
    service = world.service(started=False)
    for exercise in service.exercises.all():
        expectations(exercise)
    sites: list[str] = []

    def grind(port: int) -> object:
        sites.append(f"https://grind.test:{port}")
        return opened(service, Settings(data=folder, public_url=sites[0]))

    with ExitStack() as open_, pytest.MonkeyPatch.context() as patched:
        patched.setattr(whole, "LOOK_S", 0.3)  # nobody waits five seconds for the sender
        patched.setattr(fetch, "PATIENCE_S", 300.0)  # a machine in use is slow, and not away
        open_.enter_context(over_tls(grind, certificates))
        found: dict[str, Platform] = {}
        keys = service.school.campus.registering.jwks
        for temper in TEMPERS:
            made = Platform(temper, sites[0], lambda: dict(keys()), lambda: world.now.timestamp())
            made.course = f"Course in {temper.name}"
            pages = campus_pages(made)
            port = open_.enter_context(over_tls(partial(_on_any, pages), certificates))
            made.home = f"https://campus.test:{port}"
            made.pages = f"https://school.test:{port}" if temper == CANVAS else ""
            if temper.token_to_register:
                service.school.campus.registering.add(made.fields(), "the host")
            found[temper.name] = made
        yield Places(found, service, sites[0], world)
    world.close()
