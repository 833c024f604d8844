"""Who a campus signed in: a session of its own, also inside the frame of a course's page.

Only the sites of that campus may show pages in a frame, and only to somebody it signed in.
"""

from __future__ import annotations

from fastapi import Request

from app.service import Service
from app.service.school.campus.framed_sessions import FramedSession
from app.web.guard import notes
from app.web.session import IN_A_FRAME

COOKIE = "__Host-mlgrind-session"


def framed(request: Request, service: Service) -> FramedSession | None:
    """The session of a request; from then on its pages may be shown by its campus.

    Looked up once a request; blocks for the store.
    """
    token = request.cookies.get(COOKIE)
    if not token:
        return None
    known = getattr(request.state, "framed", None)
    if isinstance(known, FramedSession):
        return known
    found = service.school.campus.sessions.get(token)
    if found is not None:
        request.state.framed = found
        notes(request).frame_ancestors = found.registration.origins
    return found


def cookie(token: str, lasts_s: int) -> str:
    """The Set-Cookie header of a session; browsers take it over https only."""
    return f"{COOKIE}={token}; Path=/; Max-Age={lasts_s}; {IN_A_FRAME}"
