"""The campus page of a class: its course, what is granted, people, and scores on their way."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from app.classroom.campus_scores import missing
from app.model.classes import Assignment, ClassId
from app.service.school import Conflict
from app.service.school.campus.resending import ScoreLine
from app.web.deps import COUNTED, OWN_PAGES_ONLY, Site, SitePart
from app.web.form import Form, form
from app.web.pages.campus.campus_frame import origin_of
from app.web.pages.classes.frame import page, to
from app.web.wall import Inside, InsidePart, Role, needs

router = APIRouter(include_in_schema=False, dependencies=COUNTED)
Sent = Annotated[Form, Depends(form)]


@router.get("/classes/{class_id}/campus", dependencies=[needs(Role.INSTRUCTOR)])
def campus_page(request: Request, class_id: ClassId, site: SitePart, who: InsidePart) -> Response:
    """The connected course, or how to connect one."""
    return _page(request, site, who)


def _page(request: Request, site: Site, who: Inside, status: int = 200, **more: object) -> Response:
    school, made = site.service.school, who.in_class
    course = school.campus.course_of(made.id)
    lines = () if course is None else school.campus.outbox.lines(made.id)
    granted = () if course is None else missing(course.scopes, members=bool(course.nrps_url))
    return page(
        request,
        site,
        who,
        "campus.html",
        status=status,
        tab="settings",
        course=course,
        registration=None if course is None else school.campus.registering.get(course.registration),
        missing=granted,
        waiting=[one for one in lines if one.score.state == "waiting"],
        failed=[one for one in lines if one.score.state == "failed"],
        sent=sum(one.score.state == "sent" for one in lines),
        held=sum(one.score.state == "held" for one in lines),
        stuck=_stuck(lines),
        absent=() if course is None else school.campus.not_from_there(made.id),
        code=school.campus.connecting.code(made.id),
        https=origin_of(request, site).startswith("https://"),
        **{"synced": None, "complaint": "", "columns": None, **more},
    )


def _stuck(lines: Iterable[ScoreLine]) -> list[Assignment]:
    """The assignments of which a score failed, each once."""
    failed = (one.assignment for one in lines if one.score.state == "failed")
    return list({given.id: given for given in failed}.values())


@router.post("/classes/{class_id}/campus", dependencies=[needs(Role.INSTRUCTOR), *OWN_PAGES_ONLY])
def change(
    request: Request, class_id: ClassId, site: SitePart, who: InsidePart, sent: Sent
) -> Response:
    """Read the list of people, send all scores again, choose a column, or end the connection."""
    campus = site.service.school.campus
    do = sent.text("do")
    try:
        if do == "sync":
            return _page(request, site, who, synced=campus.members.sync(class_id, who.account))
        if do == "again":
            campus.outbox.again(class_id, who.account)
        elif do == "columns":
            columns = campus.outbox.columns(class_id, sent.text("assignment"))
            return _page(request, site, who, columns=columns)
        elif do == "column":
            asked = sent.text("assignment"), sent.text("column")
            campus.outbox.choose_column(class_id, *asked, who.account)
        elif do == "let go":
            campus.connecting.let_go(class_id, who.account)
    except Conflict as error:
        return _page(request, site, who, 409, complaint=str(error))
    return to(request, f"/classes/{class_id}/campus")
