"""The author's pages: what `mlgrind check` finds, as a page for each folder.

Served only with `mlgrind serve --author`: they show reports of hidden cases, hints and mistakes, so
they open for this machine itself alone, or for a browser with the token that was printed.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Annotated

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.responses import RedirectResponse, Response
from starlette.exceptions import HTTPException

from app.catalog import full_statement
from app.model import SubmissionId
from app.report import from_json, to_json
from app.verify import LETTERS, Kill
from app.verify.proof_cache import ProofCache, ProvedFolder, TooManyProofs
from app.web.arrival import is_loopback, is_own_name
from app.web.deps import OWN_PAGES_ONLY, SitePart
from app.web.guard import notes
from app.web.report.view import expected, view
from app.web.wall import Role, needs

COOKIE = "mlgrind-author"
AS_SUBMITTED = SubmissionId("as-submitted")
"""Stands for a submission's id: a report without one reads as a run's."""


@dataclass(frozen=True)
class AuthorPages:
    """The proofs, and the token that opens it from elsewhere; None: from this machine only."""

    proofs: ProofCache
    token: str | None


def install(site: FastAPI, proofs: ProofCache, token: str | None) -> None:
    """Add the author's pages to a site."""
    site.state.author = AuthorPages(proofs, token)
    site.router.routes.extend(router.routes)


def author_pages(request: Request) -> AuthorPages:
    """The author's pages, for those who may see them. 403 for all others."""
    found = request.app.state.author
    assert isinstance(found, AuthorPages)  # noqa: S101 (install puts it there)
    if not _may_enter(request, found.token):
        raise HTTPException(
            403, "The author's pages open only on the server itself, or with its token."
        )
    return found


def _may_enter(request: Request, token: str | None) -> bool:
    """By token where there is one; else from this machine, under its own name."""
    if token is not None:
        sent = request.query_params.get("token") or request.cookies.get(COOKIE, "")
        return hmac.compare_digest(sent.encode(), token.encode())
    arrived = notes(request).arrival
    host = request.headers.get("host", "")
    return arrived.direct and is_loopback(arrived.address) and is_own_name(host)


AuthorPart = Annotated[AuthorPages, Depends(author_pages)]
router = APIRouter(prefix="/author", include_in_schema=False, dependencies=[needs(Role.AUTHOR)])


@router.get("")
def folders_page(request: Request, site: SitePart, found: AuthorPart) -> Response:
    """Every folder, sound or broken; a token in the address becomes a cookie."""
    if "token" in request.query_params and found.token is not None:
        answer = RedirectResponse("/author", 303)
        secure = notes(request).arrival.secure
        answer.set_cookie(
            COOKIE, found.token, path="/author", httponly=True, secure=secure, samesite="strict"
        )
        return answer
    return site.renderer.page(
        request,
        "author_folders.html",
        folders=found.proofs.known(),
        complaints=site.service.complaints(),
    )


@router.get("/{slug}")
def author_page(request: Request, slug: str, site: SitePart, found: AuthorPart) -> Response:
    """Kill table, checks, mutants, complaints, mistakes' messages, hints and statement."""
    proved = _proved(found, slug)
    exercise = proved.exercise
    return site.renderer.page(
        request,
        "author.html",
        proof=proved.proof,
        exercise=exercise,
        letters=LETTERS,
        areas=_areas(proved.proof.kills),
        statement=()
        if exercise is None
        else site.renderer.markdown.sections(full_statement(exercise), f"/exercises/{slug}/files/"),
    )


@router.post("/{slug}", dependencies=OWN_PAGES_ONLY)
def check_again(slug: str, found: AuthorPart) -> Response:
    """Prove the folder anew, whether it changed or not."""
    _proved(found, slug, again=True)
    return RedirectResponse(f"/author/{slug}", 303)


@router.get("/{slug}/mistakes/{mistake}")
def mistake_page(
    request: Request, slug: str, mistake: str, site: SitePart, found: AuthorPart
) -> Response:
    """The report a learner gets who makes this mistake, word for word."""
    proved = _proved(found, slug)
    kill = next((k for k in proved.proof.kills if k.misconception.slug == mistake), None)
    if kill is None or proved.exercise is None:
        raise HTTPException(404)
    expectations = None
    if any(exercise.slug == slug for exercise in site.service.exercises.all()):
        expectations = expected(site.service, proved.exercise.slug)
    return site.renderer.page(
        request,
        "author_mistake.html",
        exercise=proved.exercise,
        kill=kill,
        report=view(
            from_json(to_json(replace(kill.report, submission=AS_SUBMITTED))),
            proved.exercise,
            expectations,
        ),
    )


def _proved(found: AuthorPages, slug: str, *, again: bool = False) -> ProvedFolder:
    try:
        proved = found.proofs.proved(slug, again=again)
    except TooManyProofs:
        raise HTTPException(503, "Too many checks are running. Try again in a minute.") from None
    if proved is None:
        raise HTTPException(404)
    return proved


def _areas(kills: tuple[Kill, ...]) -> list[tuple[str, list[Kill]]]:
    """The rows of the kill table by the file their mistakes are in."""
    grouped = groupby(kills, key=lambda kill: kill.misconception.area)
    return [(area.replace("_", " ").capitalize(), list(rows)) for area, rows in grouped]
