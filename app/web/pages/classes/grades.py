"""The gradebook: grid, receipts, changes by hand, regrades, and files for a campus."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse, Response

from app.classroom.campus_file import MOST_BYTES
from app.classroom.class_files import SYSTEMS, System
from app.model import Slug
from app.model.classes import AssignmentId, ClassId, EnrolmentId
from app.service.school import Complaints, DoneBefore
from app.service.school.regrading import Regrading
from app.web.deps import COUNTED, OWN_PAGES_ONLY, Site, SitePart
from app.web.form import Form, form
from app.web.pages.classes.frame import fields, page
from app.web.upload import Uploaded
from app.web.wall import Inside, InsidePart, Role, needs

router = APIRouter(include_in_schema=False, dependencies=COUNTED)
Sent = Annotated[Form, Depends(form)]
INSTRUCTOR = [needs(Role.INSTRUCTOR)]
POSTS = [needs(Role.INSTRUCTOR), *OWN_PAGES_ONLY]
ASSISTANT = [needs(Role.ASSISTANT)]
FILES = [needs(Role.INSTRUCTOR, MOST_BYTES + 64 * 1024), *OWN_PAGES_ONLY]


@router.get("/classes/{class_id}/grades", dependencies=ASSISTANT)
def grades_page(
    request: Request, class_id: ClassId, site: SitePart, who: InsidePart, section: str = ""
) -> Response:
    """One row a learner, one column an assignment, worked out now."""
    return _grades(request, site, who, section)


def _grades(
    request: Request,
    site: Site,
    who: Inside,
    section: str = "",
    status: int = 200,
    **context: object,
) -> Response:
    school, made = site.service.school, who.in_class
    open_ones = school.regrading.open(made.id)
    defaults: dict[str, object] = {"opened": None, "filled": None, "file": "", "name": ""}
    return page(
        request,
        site,
        who,
        "grades.html",
        status=status,
        tab="grades",
        book=school.grades.book(made.id, section or None),
        section=section,
        sections=school.people.sections(made.id),
        changed=[one for one in school.regrading.changed(made.id) if who.teaches],
        regrades=[
            (
                one,
                school.regrading.lines(made.id, one.id),
                school.regrading.points(made.id, one.id),
            )
            for one in open_ones
        ],
        warnings=school.grades.warnings(made.id),
        systems=SYSTEMS,
        **{**defaults, **context},
    )


@router.get("/classes/{class_id}/grades/cell/{assignment}/{enrolment}", dependencies=ASSISTANT)
def cell_page(
    request: Request,
    class_id: ClassId,
    assignment: AssignmentId,
    enrolment: EnrolmentId,
    site: SitePart,
    who: InsidePart,
) -> Response:
    """The same with one cell's receipt open in the row below it."""
    opened = site.service.school.grades.receipt(class_id, assignment, enrolment)
    return _grades(request, site, who, opened=opened)


@router.post("/classes/{class_id}/grades/override", dependencies=POSTS)
def override(
    request: Request, class_id: ClassId, site: SitePart, who: InsidePart, sent: Sent
) -> Response:
    """Set points by hand, lift that, hold a grade or release it."""
    grades = site.service.school.grades
    assignment, enrolment = (
        AssignmentId(sent.text("assignment")),
        EnrolmentId(sent.text("enrolment")),
    )
    try:
        if sent.text("do") in ("hold", "release"):
            held = sent.text("do") == "hold"
            grades.hold(class_id, assignment, enrolment, who.account, held=held)
        else:
            typed = fields(sent, ("points", "reason", "note"))
            if sent.text("do") == "lift":
                typed["points"] = ""
            grades.override(class_id, assignment, enrolment, typed, who.account)
    except Complaints as error:
        opened = grades.receipt(class_id, assignment, enrolment)
        return _grades(
            request, site, who, status=422, opened=opened, said=error.fields,
            typed=fields(sent, ("points", "reason", "note")),
        )  # fmt: skip
    return RedirectResponse(f"/classes/{class_id}/grades/cell/{assignment}/{enrolment}#why", 303)


@router.post("/classes/{class_id}/grades/regrade", dependencies=POSTS)
def regrade(class_id: ClassId, site: SitePart, who: InsidePart, sent: Sent) -> Response:
    """Begin to judge older tries anew, apply what came of it, or drop it.

    A second press of a button finds it done, and goes on to the page that shows it.
    """
    with suppress(DoneBefore):
        _regrade(site.service.school.regrading, class_id, who, sent)
    return RedirectResponse(f"/classes/{class_id}/grades#regrade", 303)


def _regrade(regrading: Regrading, class_id: ClassId, who: Inside, sent: Form) -> None:
    match sent.text("do"):
        case "start":
            slug = Slug(sent.text("exercise"))
            regrading.start(class_id, slug, sent.text("reason"), who.account)
        case "apply":
            regrading.apply(class_id, sent.text("regrade"), "replace", who.account)
        case "better":
            regrading.apply(class_id, sent.text("regrade"), "only_better", who.account)
        case "drop":
            regrading.drop(class_id, sent.text("regrade"), who.account)


@router.get("/classes/{class_id}/grades.csv", dependencies=INSTRUCTOR)
def export(class_id: ClassId, site: SitePart, system: str = "plain") -> Response:
    """The grades as a table of ours, for a campus system or for people."""
    chosen: System = next((one for one in SYSTEMS if one == system), "plain")
    data = site.service.school.grades.export(class_id, chosen)
    headers = {"Content-Disposition": f'attachment; filename="grades-{chosen}.csv"'}
    return Response(data, media_type="text/csv; charset=utf-8", headers=headers)


@router.post("/classes/{class_id}/grades/fill", dependencies=FILES)
def fill(
    request: Request, class_id: ClassId, site: SitePart, who: InsidePart, sent: Uploaded
) -> Response:
    """The campus's own file back with our columns filled; first what was done with it."""
    try:
        filled = site.service.school.grades.fill(class_id, sent.data)
    except Complaints as error:
        return _grades(request, site, who, status=422, said=error.fields)
    name = "".join(c for c in sent.name if c.isascii() and (c.isalnum() or c in "-_."))[:80]
    token = site.service.school.grades.keep_filled(class_id, filled)
    return _grades(request, site, who, filled=filled, file=token, name=name or "grades.csv")


@router.get("/classes/{class_id}/grades/filled/{token}/{name}", dependencies=INSTRUCTOR)
def filled_file(class_id: ClassId, token: str, name: str, site: SitePart) -> Response:
    """The file that was filled a moment ago."""
    data = site.service.school.grades.filled(class_id, token)
    headers = {"Content-Disposition": "attachment"}
    return Response(data, media_type="application/octet-stream", headers=headers)
