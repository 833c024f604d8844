"""The list of classes, a learner's own page of a class, and the board with its numbers."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from app.classroom.dates import place, zone_names
from app.model import Slug
from app.model.classes import ClassId
from app.service.school import Complaints
from app.service.school.receipts import Mine
from app.web.deps import COUNTED, OWN_PAGES_ONLY, Site, SitePart, become
from app.web.form import Form, form
from app.web.html.render import answer
from app.web.pages.classes.frame import join_url, page, qr, shown_code
from app.web.pages.classes.mistake_titles import mistake_titles
from app.web.pages.due import near, so_far
from app.web.report.view import expected
from app.web.session import COOKIE
from app.web.wall import STAFF_COOKIE, Inside, InsidePart, Role, needs

router = APIRouter(include_in_schema=False, dependencies=COUNTED)
Sent = Annotated[Form, Depends(form)]
ASSISTANT = [needs(Role.ASSISTANT)]

HELD_S = 10.0
A_MOMENT_S = 0.01


@router.get("/classes", dependencies=[needs(Role.ACCOUNT)])
def classes_page(request: Request, site: SitePart, who: InsidePart) -> Response:
    """One's own classes, and a form to make one."""
    return _classes(request, site, who)


def _classes(
    request: Request, site: Site, who: Inside, status: int = 200, **context: object
) -> Response:
    defaults: dict[str, object] = {"said": {}, "typed": {}}
    found = site.service.school.classes.taught_by(who.account)
    return site.renderer.page(
        request,
        "class/classes.html",
        status=status,
        classes=[(made, part, shown_code(made.join_code)) for made, part in found],
        account=who.account,
        zones=sorted(zone_names()),
        **{**defaults, **context},
    )


@router.post("/classes", dependencies=[needs(Role.ACCOUNT), *OWN_PAGES_ONLY])
def make_class(request: Request, site: SitePart, who: InsidePart, sent: Sent) -> Response:
    """Make a class; its board shows the code."""
    typed = {name: sent.text(name) for name in ("title", "term", "zone")}
    try:
        made = site.service.school.classes.make(
            typed["title"], typed["zone"], who.account, typed["term"]
        )
    except Complaints as error:
        return _classes(request, site, who, 422, said=error.fields, typed=typed)
    return RedirectResponse(f"/classes/{made.id}/board", 303)


@router.get("/classes/{class_id}", dependencies=[needs(Role.LEARNER)])
def class_page(request: Request, class_id: ClassId, site: SitePart, who: InsidePart) -> Response:
    """A learner's own page: what is due, by which rules, points and notes."""
    school = site.service.school
    if who.seat is None:
        return RedirectResponse(f"/classes/{class_id}/board", 303)
    mine: tuple[Mine, ...] = ()
    if who.seat.state != "preview" and who.seat.learner is not None:
        mine = school.grades.mine(class_id, who.seat.learner)
    now = school.boards.now()
    return page(
        request,
        site,
        who,
        "class.html",
        mine=mine,
        so_far=so_far(mine, now),
        near=lambda at: near(at, now),
        zone_place=place(who.in_class.zone),
        staff=school.classes.staff(class_id),
        now=now,
        previews=[
            (one, school.assignments.sentence(one)) for one in school.assignments.all(class_id)
        ]
        if who.seat.state == "preview"
        else [],
        requests=[one for seat, one in school.privacy.requests(class_id) if seat.id == who.seat.id],
        removed=who.seat.state == "removed",
    )


@router.post("/classes/{class_id}/preview", dependencies=[*ASSISTANT, *OWN_PAGES_ONLY])
def preview(request: Request, class_id: ClassId, site: SitePart, who: InsidePart) -> Response:
    """A seat from which staff see the class as a learner does."""
    found, _ = site.sessions.read(request.cookies.get(COOKIE))
    learner = site.service.learners.new() if found is None else site.service.learners.get(found).id
    site.service.school.people.preview(class_id, learner, who.account)
    become(request, learner)
    return RedirectResponse(f"/classes/{class_id}", 303)


# ------------------------------------------------------------------ the board


@router.get("/classes/{class_id}/board", dependencies=ASSISTANT)
def board_page(
    request: Request,
    class_id: ClassId,
    site: SitePart,
    who: InsidePart,
    section: str = "",
    names: str = "",
) -> Response:
    """The whole class: who needs help first."""
    return _board(request, site, who, None, section, names)


@router.get("/classes/{class_id}/board/{slug}", dependencies=ASSISTANT)
def board_of_exercise(
    request: Request,
    class_id: ClassId,
    slug: Slug,
    site: SitePart,
    who: InsidePart,
    section: str = "",
    names: str = "",
) -> Response:
    """The same with one exercise's mistakes and cases beside it."""
    return _board(request, site, who, slug, section, names)


def _board(
    request: Request, site: Site, who: Inside, slug: Slug | None, section: str, names: str
) -> Response:
    school, made = site.service.school, who.in_class
    chosen = section or None
    if names == "hidden":
        session = request.cookies.get(STAFF_COOKIE, "")
        seen = school.boards.projected(made.id, session, chosen)
    else:
        seen = school.boards.board(made.id, chosen)
    columns = seen.board.columns
    shown = next((one for one in columns if one.assignment.exercise == slug), None)
    if shown is None and columns:
        shown = max(columns, key=lambda one: (one.trying, one.assignment.position))
    link = join_url(request, site, made) if made.join_code else ""
    return page(
        request,
        site,
        who,
        "board.html",
        tab="board",
        seen=seen,
        column=shown,
        titles=mistake_titles(site, shown.assignment.exercise) if shown else {},
        cases=_cases(site, shown.assignment.exercise) if shown else (),
        slots=school.boards.over_time(seen, shown.assignment.exercise) if shown else (),
        hidden=names == "hidden",
        section=section,
        link=link,
        code=shown_code(made.join_code),
        qr=qr(link) if link else "",
        now=school.boards.now(),
    )


def _cases(site: Site, slug: Slug) -> tuple[str, ...]:
    if site.service.exercises.catalog.get(slug) is None:
        return ()
    found = expected(site.service, slug)
    return () if found is None else tuple(one.purpose for one in found.tests)


@router.get("/classes/{class_id}/board.json", dependencies=ASSISTANT)
async def board_json(
    request: Request,
    class_id: ClassId,
    site: SitePart,
    since: str = "",
    wait: Annotated[float, Query(ge=0, le=HELD_S)] = HELD_S,
) -> Response:
    """The board's stamp, as soon as it is another than `since`; held open for 10 s at most.

    All who watch a class look again when its stamp may be another one, and are answered at once.
    """
    boards = site.service.school.boards
    until = time.monotonic() + wait
    stamp = await run_in_threadpool(boards.stamp, class_id)
    while stamp == since and time.monotonic() < until and not await request.is_disconnected():
        left = until - time.monotonic()
        await asyncio.sleep(min(boards.same_s(class_id) + A_MOMENT_S, left))
        stamp = await run_in_threadpool(boards.stamp, class_id)
    return answer(request, {"stamp": stamp, "changed": stamp != since})


@router.get("/classes/{class_id}/board/{slug}/example/{misconception}", dependencies=ASSISTANT)
def example_page(
    request: Request,
    class_id: ClassId,
    slug: Slug,
    misconception: str,
    site: SitePart,
    who: InsidePart,
) -> Response:
    """One program that shows a mistake, without a name."""
    found = site.service.school.boards.example(class_id, slug, misconception)
    title = mistake_titles(site, slug).get(misconception, misconception)
    return page(
        request, site, who, "example.html", tab="board", example=found, title=title, slug=slug
    )
