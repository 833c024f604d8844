"""The web room's front door: one FastAPI application over one service."""

from __future__ import annotations

from fastapi import FastAPI

from app.config import Settings
from app.service import Service
from app.web import health, wall
from app.web import problems as troubles
from app.web.api import completions as api_names
from app.web.api import exercises as api_exercises
from app.web.api import learner as api_learner
from app.web.api import openapi
from app.web.api import submissions as api_submissions
from app.web.deps import COUNTED, Site
from app.web.guard import Guard
from app.web.html.assets import Assets
from app.web.html.places import folder
from app.web.html.render import Renderer
from app.web.pages import forms, forms_learner
from app.web.pages import redirects as ways
from app.web.pages import routes as pages
from app.web.session import Sessions


def create(service: Service, settings: Settings, secret: bytes) -> FastAPI:
    """The application. The caller starts and closes the service; `secret` signs the cookies."""
    site = FastAPI(
        title="ML Grind",
        version="1",
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        redirect_slashes=False,
    )
    assets = Assets(folder("static/dist"))
    site.state.site = Site(
        service=service,
        settings=settings,
        sessions=Sessions(secret),
        assets=assets,
        renderer=Renderer(folder("templates"), assets),
        secret=secret,
    )
    site.add_middleware(
        Guard,
        proxies=settings.trusted_proxies,
        public_url=settings.public_url,
        hsts=settings.hsts,
        own_only=settings.own_only,
    )
    for router in (  # routes are looked through in this order: what has to be instant comes first
        api_submissions.router,
        api_exercises.router,
        pages.router,
        forms.router,
        api_learner.router,
        forms_learner.router,
        ways.router,
        api_names.router,
    ):
        site.include_router(router, dependencies=COUNTED)
    site.include_router(health.router)
    troubles.install(site)
    wall.install(site)
    openapi.install(site)
    return site
