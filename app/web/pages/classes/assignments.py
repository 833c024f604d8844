"""Assignments of a class: the list, and the form with the sentence that learners will read."""

from __future__ import annotations

from typing import Annotated, get_args

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse, Response

from app.classroom.assignment_form import Field
from app.model import Slug
from app.model.classes import AssignmentId, ClassId
from app.service.school import Complaints
from app.service.school.assignments import AssignmentForm
from app.web.deps import COUNTED, OWN_PAGES_ONLY, Site, SitePart
from app.web.form import Form, form
from app.web.html.render import answer
from app.web.pages.classes.frame import fields, page
from app.web.wall import Inside, InsidePart, Role, needs

router = APIRouter(include_in_schema=False, dependencies=COUNTED)
Sent = Annotated[Form, Depends(form)]
INSTRUCTOR = [needs(Role.INSTRUCTOR)]
POSTS = [needs(Role.INSTRUCTOR), *OWN_PAGES_ONLY]

FIELDS = ("exercise", "title", *get_args(Field))
NEW = {
    "points": "10",
    "late": "per_day",
    "late_share": "10",
    "scoring": "share",
    "counts": "best",
    "hint_share": "0",
    "feedback": "full",
    "solution": "usual",
}


@router.get("/classes/{class_id}/assignments", dependencies=[needs(Role.ASSISTANT)])
def assignments_page(
    request: Request, class_id: ClassId, site: SitePart, who: InsidePart
) -> Response:
    """What the class has to do, each with its sentence."""
    school = site.service.school
    given = school.assignments.all(class_id)
    return page(
        request,
        site,
        who,
        "assignments.html",
        tab="assignments",
        given=[(one, school.assignments.sentence(one)) for one in given],
        now=school.boards.now(),
    )


@router.get("/classes/{class_id}/assignments/new", dependencies=INSTRUCTOR)
def new_page(
    request: Request, class_id: ClassId, site: SitePart, who: InsidePart, exercise: str = ""
) -> Response:
    """The form, for one of the exercises that the class has not yet."""
    return _form(request, site, who, {**NEW, "exercise": exercise})


def _form(
    request: Request,
    site: Site,
    who: Inside,
    typed: dict[str, str],
    status: int = 200,
    given: object = None,
    read: AssignmentForm | None = None,
    **context: object,
) -> Response:
    school = site.service.school
    return page(
        request,
        site,
        who,
        "assignment.html",
        status=status,
        tab="assignments",
        choices=school.assignments.choices(who.in_class.id),
        given=given,
        typed=typed,
        read=read,
        **context,
    )


@router.post("/classes/{class_id}/assignments/new", dependencies=POSTS)
def add(
    request: Request, class_id: ClassId, site: SitePart, who: InsidePart, sent: Sent
) -> Response:
    """Give an exercise, or show first what learners will read."""
    school, typed = site.service.school, fields(sent, FIELDS)
    if sent.text("do") == "look":
        read = school.assignments.preview(class_id, typed)
        return _form(request, site, who, typed, read=read, said=read.complaints)
    try:
        school.assignments.add(class_id, Slug(sent.text("exercise")), typed, who.account)
    except Complaints as error:
        return _form(request, site, who, typed, 422, said=error.fields)
    return RedirectResponse(f"/classes/{class_id}/assignments", 303)


@router.post("/classes/{class_id}/assignments/preview", dependencies=POSTS)
def preview(
    request: Request, class_id: ClassId, site: SitePart, who: InsidePart, sent: Sent
) -> Response:
    """The sentence and whose points would change, as one types."""
    assignment = AssignmentId(sent.text("assignment")) if sent.text("assignment") else None
    read = site.service.school.assignments.preview(class_id, fields(sent, FIELDS), assignment)
    return answer(
        request,
        {
            "sentence": read.sentence,
            "complaints": dict(read.complaints),
            "notes": list(read.notes),
            "changes": read.changes_in_words,
        },
    )


@router.get("/classes/{class_id}/assignments/{assignment}", dependencies=INSTRUCTOR)
def edit_page(
    request: Request, class_id: ClassId, assignment: AssignmentId, site: SitePart, who: InsidePart
) -> Response:
    """The form of an assignment as it stands."""
    school = site.service.school
    given = school.assignments.one(class_id, assignment)
    typed = school.assignments.fields(given)
    read = school.assignments.preview(class_id, typed, assignment)
    return _form(request, site, who, typed, given=given, read=read)


@router.post("/classes/{class_id}/assignments/{assignment}", dependencies=POSTS)
def change(
    request: Request,
    class_id: ClassId,
    assignment: AssignmentId,
    site: SitePart,
    who: InsidePart,
    sent: Sent,
) -> Response:
    """Save, once it was said whose points change; or look, move it up, or take it away."""
    school, typed = site.service.school, fields(sent, FIELDS)
    given = school.assignments.one(class_id, assignment)
    if sent.text("do") == "up":
        school.assignments.move_up(class_id, assignment)
        return RedirectResponse(f"/classes/{class_id}/assignments", 303)
    if sent.text("do") == "remove":
        if sent.text("sure") == "yes":
            school.assignments.remove(class_id, assignment, who.account)
            return RedirectResponse(f"/classes/{class_id}/assignments", 303)
        typed = school.assignments.fields(given)
        return _form(request, site, who, typed, given=given, removing=True)
    read = school.assignments.preview(class_id, typed, assignment)
    asks = bool(read.changes) and sent.text("sure") != "yes"
    if read.policy is None or sent.text("do") == "look" or asks:
        status = 422 if read.policy is None else 200
        return _form(
            request, site, who, typed, status, given=given, read=read, said=read.complaints,
            asks=asks and sent.text("do") != "look",
        )  # fmt: skip
    school.assignments.change(class_id, assignment, typed, who.account)
    return RedirectResponse(f"/classes/{class_id}/assignments", 303)
