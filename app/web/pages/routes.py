"""The pages one reads: home, workbench, a submission, progress, a shared copy, the interface."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from app.model import Exercise, Slug
from app.records import Json, Submission
from app.service import NoSuchSubmission
from app.web.deps import COUNTED, NOBODY, Reader, Site, SitePart, Visitor, Writer, submission_id
from app.web.guard import notes
from app.web.html.render import answer
from app.web.html.text import as_text
from app.web.pages import download
from app.web.pages.changes import changes
from app.web.pages.due import Due, due_list
from app.web.pages.home import home_sections, progress_by_slug
from app.web.pages.met import met
from app.web.pages.operations import operations
from app.web.pages.workbench import Shown, workbench
from app.web.problems import MEANINGS
from app.web.report.view import report_view
from app.web.waits import report_of
from app.web.wall import Role, needs

router = APIRouter(include_in_schema=False, dependencies=[*COUNTED, needs(Role.VISITOR)])

_PICTURES = {".png": "image/png", ".svg": "image/svg+xml"}


@router.get("/")
def home(request: Request, site: SitePart, who: Reader) -> Response:
    """Sections with their maps and lists, and where to go on."""
    exercises = site.service.exercises.all_for(who.learner)
    progress = progress_by_slug(site.service, who) if who.known else {}
    return site.renderer.page(
        request,
        "home.html",
        sections=home_sections(exercises, progress),
        progress=progress,
        passed={slug for slug, row in progress.items() if row.state == "passed"},
        next=_next(exercises, progress),
        due=_due(site, who),
        reserved={e.slug for e in site.service.exercises.all()} - {e.slug for e in exercises},
    )


def _due(site: Site, who: Visitor) -> tuple[Due, ...]:
    """What the learner's classes want next."""
    return due_list(site.service, who.learner) if who.known else ()


def _next(
    exercises: tuple[Exercise, ...], progress: dict[Slug, Any]
) -> tuple[str, Exercise] | None:
    """What to do now: go on with what was touched last, else begin what is ready."""
    touched = [row for row in progress.values() if row.state in {"begun", "tried"}]
    dated = [row for row in touched if row.last_at is not None]
    latest = max(dated, key=lambda row: row.last_at, default=touched[0] if touched else None)
    if latest is not None:
        return "Continue", next(e for e in exercises if e.slug == latest.exercise)
    passed = {slug for slug, row in progress.items() if row.state == "passed"}
    ready = [e for e in exercises if e.slug not in passed and set(e.after) <= passed]
    left = ready or [e for e in exercises if e.slug not in passed]
    if not left:
        return None
    last = max((n for n, e in enumerate(exercises) if e.slug in passed), default=-1)
    onward = [e for e in left if exercises.index(e) > last]
    return ("Next" if passed else "Start", (onward or left)[0])


def meant(site: Site, slug: Slug) -> Slug | None:
    """The exercise whose name an address writes in capitals or with other dashes, if it is one."""
    known = {exercise.slug for exercise in site.service.exercises.all_for(NOBODY)}
    plain = Slug(re.sub(r"[\s_-]+", "-", slug.lower()))
    return plain if plain in known and slug not in known else None


@router.get("/exercises/{slug}")
def exercise_page(
    request: Request, slug: Slug, site: SitePart, who: Writer, draft: str = ""
) -> Response:
    """The workbench with the newest text, or with the draft asked for."""
    known = meant(site, slug)
    if known is not None:
        return RedirectResponse(f"/exercises/{known}", 308)
    return workbench(request, site, who, slug, Shown(draft=draft))


@router.get("/submissions/{submission}")
async def submission_page(
    request: Request, submission: str, site: SitePart, who: Reader, read_token: str = ""
) -> Response:
    """The workbench with one submission's code and report; its learner's only."""
    found = await run_in_threadpool(
        site.service.submissions.get, submission_id(submission), who.learner, read_token or None
    )
    report = found.report or await report_of(request, site.service, found.id, site.inline_s)
    guest = (await run_in_threadpool(site.service.learners.get, who.learner)).id != found.learner
    shown = Shown(submission=found, report=report, guest=guest)
    return await run_in_threadpool(workbench, request, site, who, found.exercise, shown)


@router.get("/submissions/{submission}/report.json")
def replay(
    request: Request, submission: str, site: SitePart, who: Reader, read_token: str = ""
) -> Response:
    """ "Is the grader wrong?": everything to judge this submission again elsewhere."""
    found = site.service.submissions.get(submission_id(submission), who.learner, read_token or None)
    name = f"mlgrind-{found.exercise}-{found.id[:13]}.json"
    return answer(
        request,
        site.service.submissions.replay(found),
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@router.get("/progress")
def progress_page(request: Request, site: SitePart, who: Reader) -> Response:
    """What was done with each exercise, and the code that carries it elsewhere."""
    return progress_view(request, site, who, saved=request.query_params.get("saved"))


def progress_view(request: Request, site: Site, who: Visitor, **more: Any) -> Response:
    """The progress page; `more` is what a form on it has to say."""
    service = site.service
    exercises = {exercise.slug: exercise for exercise in service.exercises.all_for(who.learner)}
    rows = service.learners.progress(who.learner) if who.known else ()
    touched = [row for row in rows if row.state != "new"]
    history = {
        row.exercise: service.submissions.history(who.learner, row.exercise) for row in touched
    }
    return site.renderer.page(
        request,
        "progress.html",
        **{"code": None, "summary": None, "asked": "", "complaint": None, **more},
        exercises=exercises,
        numbers={slug: n for n, slug in enumerate(exercises, 1)},
        rows=touched,
        history=history,
        met=met(site.service, history),
        learner=service.learners.get(who.learner) if who.known else None,
        due=_due(site, who),
    )


@router.get("/exercises/{slug}/changes/{before}/{after}")
def changes_page(
    request: Request, slug: Slug, before: str, after: str, site: SitePart, who: Reader
) -> Response:
    """What changed between two of one's own submissions."""
    service = site.service
    history = service.submissions.history(who.learner, slug)
    order = [attempt.id for attempt in reversed(history)]
    pair: list[Submission] = []
    for text in (before, after):
        found = service.submissions.get(submission_id(text), who.learner)
        if found.exercise != slug or found.id not in order:
            raise NoSuchSubmission(text)
        pair.append(found)
    numbers = [order.index(found.id) + 1 for found in pair]
    return site.renderer.page(
        request,
        "changes.html",
        exercise=service.exercises.get_for(who.learner, slug),
        change=changes(as_text(pair[0].source), as_text(pair[1].source), numbers[0], numbers[1]),
        pair=pair,
        history=history,
    )


@router.get("/shared/{token}")
async def shared_page(request: Request, token: str, site: SitePart) -> Response:
    """A read-only copy of one submission: not to be indexed, and it sends no referrer."""
    try:
        found = await run_in_threadpool(site.service.links.shared, token)
    except NoSuchSubmission:
        raise HTTPException(404, "It was mistyped, or whoever shared it took it back.") from None
    report = found.report or await report_of(request, site.service, found.id, site.inline_s)
    return await run_in_threadpool(_shared, request, site, found, report)


def _shared(request: Request, site: Site, found: Submission, report: Json | None) -> Response:
    notes(request).noindex = True
    page = site.renderer.page(
        request,
        "shared.html",
        exercise=site.service.exercises.get(found.exercise),
        source=as_text(found.source),
        submitted_at=found.created_at,
        report=None if report is None else report_view(site.service, report),
    )
    page.headers["Referrer-Policy"] = "no-referrer"
    page.headers["Cache-Control"] = "private, no-store"
    return page


@router.get("/exercises/{slug}/files/{name}")
def exercise_file(slug: Slug, name: str, site: SitePart, who: Reader) -> Response:
    """A picture of an exercise; an author's SVG can do nothing where it is opened by itself."""
    exercise = site.service.exercises.get_for(who.learner, slug)
    kind = _PICTURES.get(PurePosixPath(name).suffix)
    if kind is None or name not in exercise.files:
        raise HTTPException(404)
    headers = {
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        "Cache-Control": "private, max-age=300",
    }
    return Response(exercise.files[name], media_type=kind, headers=headers)


@router.get("/exercises/{slug}/{name}.zip")
@router.get("/exercises/{slug}/{name}.ipynb")
def take_along(request: Request, slug: Slug, name: str, site: SitePart, who: Reader) -> Response:
    """The exercise with the learner's code and its visible tests, as a folder or a notebook."""
    exercise = site.service.exercises.get_for(who.learner, slug)
    if name != slug:
        raise HTTPException(404)
    expectations = site.service.exercises.expectations(slug)
    opened = site.service.drafts.all(who.learner, slug).opened
    source = as_text(exercise.files["starter.py"] if opened is None else opened.source)
    kept = {"Cache-Control": "private, no-store"}
    if request.url.path.endswith(".zip"):
        packed = download.folder(exercise, expectations, source)
        return Response(packed, media_type="application/zip", headers=kept)
    content = download.notebook(exercise, expectations, source)
    kept["Content-Disposition"] = f'attachment; filename="{slug}.ipynb"'
    return Response(content, media_type="application/x-ipynb+json", headers=kept)


@router.get("/docs")
def docs(request: Request, site: SitePart) -> Response:
    """Our own page of the interface, from the OpenAPI document."""
    document = request.app.openapi()
    return site.renderer.page(
        request, "docs.html", operations=operations(document), info=document["info"], words=MEANINGS
    )


@router.get("/static/{name}")
def static(request: Request, name: str, site: SitePart) -> Response:
    """A file of the bundle."""
    return site.assets.send(request, name)
