"""The people of a class: join code, roster, seats, staff, merging; and one learner's page."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse, Response

from app.model.classes import AccountId, AssignmentId, ClassId, EnrolmentId
from app.service.school import Complaints, NotThere
from app.web.deps import COUNTED, OWN_PAGES_ONLY, Site, SitePart, submission_id
from app.web.form import Form, form
from app.web.html.text import as_text
from app.web.pages.classes.frame import fields, join_url, page, shown_code
from app.web.pages.classes.mistake_titles import receipts_and_titles
from app.web.report.view import report_view
from app.web.upload import Uploaded
from app.web.wall import Inside, InsidePart, Role, needs

router = APIRouter(include_in_schema=False, dependencies=COUNTED)
Sent = Annotated[Form, Depends(form)]

FILE_BYTES = 2 * 2**20 + 64 * 1024
"""The longest roster, and the form around it."""

INSTRUCTOR = [needs(Role.INSTRUCTOR)]
POSTS = [needs(Role.INSTRUCTOR), *OWN_PAGES_ONLY]
UPLOADS = [needs(Role.INSTRUCTOR, FILE_BYTES), *OWN_PAGES_ONLY]
ASSISTANT = [needs(Role.ASSISTANT)]
ASSISTANT_POSTS = [needs(Role.ASSISTANT), *OWN_PAGES_ONLY]
ASSISTANT_UPLOADS = [needs(Role.ASSISTANT, FILE_BYTES), *OWN_PAGES_ONLY]

TERMS = ("due_at", "closes_at", "attempts", "excused", "note")


@router.get("/classes/{class_id}/people", dependencies=INSTRUCTOR)
def people_page(request: Request, class_id: ClassId, site: SitePart, who: InsidePart) -> Response:
    """The roster with everything beside it."""
    return _people(request, site, who)


def _people(
    request: Request, site: Site, who: Inside, status: int = 200, **context: object
) -> Response:
    school, made = site.service.school, who.in_class
    everybody = sorted(
        school.people.all(made.id),
        key=lambda one: (one.state == "removed", (one.sort_name or one.name).casefold()),
    )
    defaults: dict[str, object] = {
        "run": None, "applied": None, "seat": None, "of": None, "merge": None
    }  # fmt: skip
    return page(
        request,
        site,
        who,
        "people.html",
        status=status,
        tab="people",
        people=everybody,
        staff=school.classes.staff(made.id),
        link=join_url(request, site, made) if made.join_code else "",
        code=shown_code(made.join_code),
        requests={one.enrolment: one for _, one in school.privacy.requests(made.id)},
        **{**defaults, **context},
    )


@router.post("/classes/{class_id}/people/upload", dependencies=UPLOADS)
def dry_run(
    request: Request, class_id: ClassId, site: SitePart, who: InsidePart, sent: Uploaded
) -> Response:
    """What a roster file would change; nothing is changed yet."""
    try:
        run = site.service.school.rosters.dry_run(class_id, sent.data)
    except Complaints as error:
        return _people(request, site, who, 422, said=error.fields)
    return _people(request, site, who, run=run)


@router.post("/classes/{class_id}/people/apply", dependencies=POSTS)
def apply(
    request: Request, class_id: ClassId, site: SitePart, who: InsidePart, sent: Sent
) -> Response:
    """Apply the file that was looked at."""
    remove = sent.text("remove") == "yes"
    site.service.school.rosters.apply(class_id, sent.text("token"), who.account, remove=remove)
    return _back(class_id)


def _back(class_id: ClassId, anchor: str = "") -> Response:
    return RedirectResponse(f"/classes/{class_id}/people{anchor}", 303)


@router.post("/classes/{class_id}/people/code", dependencies=POSTS)
def code(class_id: ClassId, site: SitePart, who: InsidePart, sent: Sent) -> Response:
    """Another join code, or none."""
    classes = site.service.school.classes
    if sent.text("do") == "close":
        classes.close_joining(class_id, who.account)
    else:
        classes.new_code(class_id, who.account)
    return _back(class_id, "#code")


@router.post("/classes/{class_id}/people/staff", dependencies=POSTS)
def staff(
    request: Request, class_id: ClassId, site: SitePart, who: InsidePart, sent: Sent
) -> Response:
    """Add somebody to the staff, or take them off."""
    classes = site.service.school.classes
    try:
        if sent.text("do") == "remove":
            classes.remove_staff(class_id, AccountId(sent.text("account")), who.account)
        else:
            role = sent.text("role") or "assistant"
            classes.add_staff(class_id, sent.text("login"), role, who.account)
    except Complaints as error:
        typed = {"login": sent.text("login")}
        return _people(request, site, who, 422, said=error.fields, typed=typed)
    return _back(class_id, "#staff")


@router.post("/classes/{class_id}/people/merge", dependencies=POSTS)
def merge(
    request: Request, class_id: ClassId, site: SitePart, who: InsidePart, sent: Sent
) -> Response:
    """Show what merging two seats moves; then merge them."""
    merging = site.service.school.merging
    gone, into = EnrolmentId(sent.text("gone")), EnrolmentId(sent.text("into"))
    if sent.text("sure") == "yes":
        merging.merge(class_id, gone, into, who.account)
        return _back(class_id)
    found = merging.preview(class_id, gone, into)
    return _people(request, site, who, merge=found)


@router.get("/classes/{class_id}/people/{enrolment}", dependencies=ASSISTANT)
def person_page(
    request: Request, class_id: ClassId, enrolment: EnrolmentId, site: SitePart, who: InsidePart
) -> Response:
    """One learner: tries with whole reports, hints, extensions, overrides."""
    return _person(request, site, who, enrolment)


def _person(
    request: Request,
    site: Site,
    who: Inside,
    enrolment: EnrolmentId,
    status: int = 200,
    **context: object,
) -> Response:
    school, made = site.service.school, who.in_class
    return page(
        request,
        site,
        who,
        "person.html",
        status=status,
        tab="people" if who.teaches else "board",
        person=school.people.one(made.id, enrolment),
        **receipts_and_titles(site, made.id, enrolment),
        sections=school.people.sections(made.id),
        request_=next(
            (one for seat, one in school.privacy.requests(made.id) if seat.id == enrolment), None
        ),
        audit=[one for one in school.classes.audit(made.id, 1_000) if one.object == str(enrolment)],
        **{"at": "", **context},
    )


@router.get("/classes/{class_id}/people/{enrolment}/tries/{submission}", dependencies=ASSISTANT)
def try_page(
    request: Request,
    class_id: ClassId,
    enrolment: EnrolmentId,
    submission: str,
    site: SitePart,
    who: InsidePart,
) -> Response:
    """One try with its program and its whole report, whatever its learner may see of it."""
    school = site.service.school
    person = school.people.one(class_id, enrolment)
    found = school.grades.submission(class_id, enrolment, submission_id(submission))
    exercise = site.service.exercises.catalog.get(found.exercise)
    if exercise is None:
        raise NotThere(found.exercise)
    return page(
        request,
        site,
        who,
        "try.html",
        tab="people" if who.teaches else "board",
        person=person,
        exercise=exercise,
        source=as_text(found.source),
        submission=found,
        report=None if found.report is None else report_view(site.service, found.report),
    )


@router.post("/classes/{class_id}/people/{enrolment}", dependencies=POSTS)
def change(
    request: Request,
    class_id: ClassId,
    enrolment: EnrolmentId,
    site: SitePart,
    who: InsidePart,
    sent: Sent,
) -> Response:
    """Seat code, name, section, remove, bring back, delete: one form each."""
    school, by = site.service.school, who.account
    school.people.one(class_id, enrolment)
    try:
        match sent.text("do"):
            case "seat":
                made = school.people.make_seat(class_id, enrolment, by)
                person = school.people.one(class_id, enrolment)
                return _people(request, site, who, seat=made, of=person)
            case "rename":
                school.people.rename(class_id, enrolment, sent.text("name"), by)
            case "section":
                school.people.set_section(class_id, enrolment, sent.text("section"), by)
            case "remove":
                school.people.remove(class_id, enrolment, by)
            case "back":
                school.people.bring_back(class_id, enrolment, by)
            case "explain":
                school.privacy.explain(class_id, enrolment, sent.text("answer"), by)
            case "delete" if sent.text("sure") == "yes":
                school.privacy.delete(class_id, enrolment, by)
                return _back(class_id)
    except Complaints as error:
        return _person(request, site, who, enrolment, 422, said=error.fields)
    return RedirectResponse(f"/classes/{class_id}/people/{enrolment}", 303)


@router.post("/classes/{class_id}/people/{enrolment}/extension", dependencies=ASSISTANT_POSTS)
def extension(
    request: Request,
    class_id: ClassId,
    enrolment: EnrolmentId,
    site: SitePart,
    who: InsidePart,
    sent: Sent,
) -> Response:
    """Give one learner more time or tries, excuse them, or take that back."""
    extensions = site.service.school.extensions
    assignment = AssignmentId(sent.text("assignment"))
    try:
        if sent.text("do") == "take back":
            extensions.take_back(class_id, assignment, enrolment, who.account)
        else:
            extensions.give(class_id, assignment, enrolment, fields(sent, TERMS), who.account)
    except Complaints as error:
        return _person(
            request,
            site,
            who,
            enrolment,
            422,
            said=error.fields,
            typed=fields(sent, TERMS),
            at=str(assignment),
        )
    return RedirectResponse(f"/classes/{class_id}/people/{enrolment}", 303)


@router.post("/classes/{class_id}/extensions/upload", dependencies=ASSISTANT_UPLOADS)
def extensions_dry_run(
    request: Request, class_id: ClassId, site: SitePart, who: InsidePart, sent: Uploaded
) -> Response:
    """What a file of extensions would do."""
    try:
        plan = site.service.school.extensions.dry_run(class_id, sent.data)
    except Complaints as error:
        return page(
            request, site, who, "extensions.html", status=422, tab="assignments", plan=None,
            said=error.fields,
        )  # fmt: skip
    return page(request, site, who, "extensions.html", tab="assignments", plan=plan)


@router.post("/classes/{class_id}/extensions/apply", dependencies=ASSISTANT_POSTS)
def extensions_apply(class_id: ClassId, site: SitePart, who: InsidePart, sent: Sent) -> Response:
    """Apply the file that was looked at."""
    site.service.school.extensions.apply(class_id, sent.text("token"), who.account)
    return RedirectResponse(f"/classes/{class_id}/assignments", 303)
