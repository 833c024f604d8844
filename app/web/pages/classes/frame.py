"""What all pages of a class share: its tabs, its clock, and complaints at their fields."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from fastapi import Request
from fastapi.responses import RedirectResponse, Response

from app.classroom.dates import in_words, zone
from app.classroom.policy import points
from app.model.classes import Class
from app.web.deps import Site
from app.web.guard import notes
from app.web.wall import Inside


def page(
    request: Request, site: Site, who: Inside, template: str, *, status: int = 200, **context: Any
) -> Response:
    """A page of a class for its staff, or with its own frame for a learner."""
    made = who.in_class
    where = zone(made.zone)

    def when(at: datetime | None) -> str:
        return "" if at is None else in_words(at, where)

    return site.renderer.page(
        request,
        f"class/{template}",
        status=status,
        made=made,
        inside=who,
        base=f"/classes/{made.id}",
        when=when,
        points=points,
        said=context.pop("said", {}),
        typed=context.pop("typed", {}),
        **context,
    )


def to(request: Request, where: str) -> Response:
    """On to a page after a form."""
    return RedirectResponse(where, 303)


def join_url(request: Request, site: Site, made: Class) -> str:
    """The link by which learners join."""
    origin = site.settings.public_url or notes(request).arrival.origin
    return f"{origin.rstrip('/')}/join/{made.join_code}"


def shown_code(code: str | None) -> str:
    """A join code as people read it aloud: two groups of five small letters."""
    return "" if code is None else f"{code[:5]} {code[5:]}".lower()


def qr(link: str) -> str:
    """The link as a QR code, as SVG without colours of its own."""
    import segno  # a class's page alone needs it

    made: str = segno.make(link, micro=False).svg_inline(
        scale=4, border=4, dark="#000", light="#fff", svgclass="qr", lineclass=None, omitsize=True
    )
    return made


def fields(sent: Any, names: tuple[str, ...]) -> dict[str, str]:
    """The fields of a form that a use case reads."""
    return {name: sent.text(name) for name in names if name in sent}
