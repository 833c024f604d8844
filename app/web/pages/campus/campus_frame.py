"""What the pages of campus systems share: our origin, and a refusal that a frame may show."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from fastapi.responses import Response

from app.classroom.launch import NotBelieved
from app.model.campuses import Registration
from app.web.deps import Site
from app.web.guard import notes

ANY_CAMPUS = ("https:",)
"""Who may frame a refusal: it holds nothing of anybody, and whose launch it was is not known."""

NO_HTTPS = "A campus course needs https, and this server is reached without it. Tell its host."


def origin_of(request: Request, site: Site) -> str:
    """Our own origin as the campus knows it."""
    return (site.settings.public_url or notes(request).arrival.origin).rstrip("/")


def need_https(request: Request, site: Site) -> str:
    """Our own origin. Raises NotBelieved where it is not https."""
    origin = origin_of(request, site)
    if not origin.startswith("https://"):
        raise NotBelieved(NO_HTTPS, 400)
    return origin


def framed_page(
    request: Request,
    site: Site,
    template: str,
    registration: Registration | None,
    *,
    status: int = 200,
    **context: Any,
) -> Response:
    """A page that the sites of a campus may show; any campus's where it is not known which."""
    carried = notes(request)
    carried.noindex = True
    carried.frame_ancestors = ANY_CAMPUS if registration is None else registration.origins
    answer = site.renderer.page(request, f"campus/{template}", status=status, **context)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def refused(request: Request, site: Site, error: NotBelieved, back: str = "") -> Response:
    """A launch that is refused, in words, with the request's id and the way back."""
    return framed_page(
        request, site, "refused.html", None, status=error.status, words=str(error), back=back
    )
