"""The web room's front door: one FastAPI application over one service."""

from __future__ import annotations

from fastapi import FastAPI

from app.config import Settings
from app.places import place
from app.service import Service
from app.web import health, problems, wall
from app.web.api import completions, exercises, learner, openapi, submissions
from app.web.deps import Site
from app.web.guard import Guard
from app.web.html.assets import Assets
from app.web.html.markdown import Markdown
from app.web.html.render import Renderer
from app.web.pages import (
    campus,
    classes,
    embed,
    forms,
    forms_learner,
    redirects,
    routes,
    shared_code,
)
from app.web.session import Sessions

INLINE_S = 2.0


def create(
    service: Service, settings: Settings, secret: bytes, inline_s: float = INLINE_S
) -> FastAPI:
    """The application. The caller starts and closes the service; `secret` signs the cookies.

    `inline_s`: how long an answer waits for a report, see `deps.Site`.
    """
    site = FastAPI(
        title="ML Grind",
        version="1",
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        redirect_slashes=False,
    )
    assets = Assets(place("static/dist"))
    site.state.site = Site(
        service=service,
        settings=settings,
        sessions=Sessions(secret),
        assets=assets,
        renderer=Renderer(place("templates"), assets, Markdown(service.typeset)),
        secret=secret,
        inline_s=inline_s,
    )
    site.add_middleware(
        Guard,
        proxies=settings.trusted_proxies,
        public_url=settings.public_url,
        hsts=settings.hsts,
        own_only=settings.own_only,
    )
    for router in (  # routes are looked through in this order: what has to be instant comes first;
        # included, each would be made a second time, and looked for twice at every request
        submissions.router,
        exercises.router,
        routes.router,
        embed.router,
        shared_code.router,
        forms.router,
        learner.router,
        forms_learner.router,
        redirects.router,
        completions.router,
        *classes.ROUTERS,
        *campus.ROUTERS,
        health.router,
    ):
        site.router.routes.extend(router.routes)
    problems.install(site)
    wall.install(site)
    openapi.install(site)
    return site
