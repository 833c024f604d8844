"""The web room's front door: one FastAPI application over one service."""

from __future__ import annotations

from fastapi import FastAPI

from app.config import Settings
from app.service import Service
from app.web import (
    api_exercises,
    api_learner,
    api_names,
    api_submissions,
    forms,
    forms_learner,
    health,
    openapi,
    pages,
    troubles,
    ways,
)
from app.web.assets import Assets
from app.web.guard import Guard
from app.web.places import folder
from app.web.render import Renderer
from app.web.session import Sessions
from app.web.shop import Shop


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
    site.state.shop = Shop(
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
        health.router,
    ):
        site.include_router(router)
    troubles.install(site)
    openapi.install(site)
    return site
