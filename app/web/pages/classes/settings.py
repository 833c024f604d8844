"""A class's settings and log, and the page of equal programs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse, Response

from app.classroom.dates import zone_names
from app.model.classes import ClassId
from app.service.school import Complaints
from app.web.deps import COUNTED, OWN_PAGES_ONLY, Site, SitePart
from app.web.form import Form, form
from app.web.guard import notes
from app.web.pages.classes.frame import fields, page
from app.web.wall import Inside, InsidePart, Role, needs

router = APIRouter(include_in_schema=False, dependencies=COUNTED)
Sent = Annotated[Form, Depends(form)]
INSTRUCTOR = [needs(Role.INSTRUCTOR)]
POSTS = [needs(Role.INSTRUCTOR), *OWN_PAGES_ONLY]
FIELDS = ("title", "term", "zone", "join_by", "retention_days")


@router.get("/classes/{class_id}/settings", dependencies=INSTRUCTOR)
def settings_page(request: Request, class_id: ClassId, site: SitePart, who: InsidePart) -> Response:
    """Title, zone, how learners join, how long it is kept; archive; the log."""
    return _settings(request, site, who)


def _settings(
    request: Request, site: Site, who: Inside, status: int = 200, **context: object
) -> Response:
    school, made = site.service.school, who.in_class
    names = {one.account: one.name for one in school.classes.staff(made.id)}
    return page(
        request,
        site,
        who,
        "settings.html",
        status=status,
        tab="settings",
        zones=sorted(zone_names()),
        audit=school.classes.audit(made.id),
        names=names,
        deleted_at=school.classes.deleted_at(made),
        https=(site.settings.public_url or notes(request).arrival.origin).startswith("https://"),
        **context,
    )


@router.post("/classes/{class_id}/settings", dependencies=POSTS)
def change(
    request: Request, class_id: ClassId, site: SitePart, who: InsidePart, sent: Sent
) -> Response:
    """Save the settings, or the form again with all complaints."""
    typed = fields(sent, FIELDS)
    try:
        site.service.school.classes.change(class_id, typed, who.account)
    except Complaints as error:
        return _settings(request, site, who, 422, said=error.fields, typed=typed)
    return RedirectResponse(f"/classes/{class_id}/settings", 303)


@router.post("/classes/{class_id}/archive", dependencies=POSTS)
def archive(class_id: ClassId, site: SitePart, who: InsidePart, sent: Sent) -> Response:
    """Make the class read only, or bring it back."""
    archived = sent.text("do") != "back"
    site.service.school.classes.archive(class_id, who.account, archived=archived)
    return RedirectResponse(f"/classes/{class_id}/settings", 303)


@router.get("/classes/{class_id}/similar", dependencies=[needs(Role.ASSISTANT)])
def similar_page(
    request: Request, class_id: ClassId, site: SitePart, who: InsidePart, pair: int = 0
) -> Response:
    """Equal programs, side by side."""
    found = site.service.school.similarity.alike(class_id)
    return page(request, site, who, "similar.html", tab="similar", alike=found, pair=pair)
