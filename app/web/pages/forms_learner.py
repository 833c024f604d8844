"""The forms about a learner: theme, name, recovery code, bringing work to another device."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from app.service import BadName, NoSuchRecoveryCode, TwoSeats
from app.web.deps import COUNTED, OWN_PAGES_ONLY, SitePart, Visitor, Writer, become
from app.web.guard import notes
from app.web.html.render import THEMES
from app.web.pages.forms import Sent
from app.web.pages.routes import progress_view
from app.web.problems import TWO_SEATS
from app.web.wall import Role, needs

LOOK_KEPT_S = 365 * 24 * 3600
"""As long as the script keeps it (static/src/page/theme.ts)."""

router = APIRouter(
    include_in_schema=False, dependencies=[*COUNTED, needs(Role.VISITOR), *OWN_PAGES_ONLY]
)


@router.post("/theme")
def theme(request: Request, sent: Sent) -> Response:
    """Keep the theme where there is no script to do it. The page stays: no letter on it is lost."""
    chosen = sent.text("theme")
    answer = Response(status_code=204)
    if chosen == "system":
        answer.delete_cookie("theme", samesite="lax")
    elif chosen in THEMES:
        secure = notes(request).arrival.secure
        answer.set_cookie("theme", chosen, LOOK_KEPT_S, secure=secure, samesite="lax")
    return answer


@router.post("/progress/name")
def name(request: Request, site: SitePart, who: Writer, sent: Sent) -> Response:
    """Keep a name; one that cannot be kept is shown again with the reason."""
    try:
        site.service.learners.set_name(who.learner, sent.text("name"), address=who.address)
    except BadName as error:
        return progress_view(request, site, who, complaint=("name", str(error)))
    return RedirectResponse("/progress?saved=name#name", 303)


@router.post("/progress/code")
def code(request: Request, site: SitePart, who: Writer) -> Response:
    """Make a recovery code and show it, this once."""
    made = site.service.learners.recovery_code(who.learner, address=who.address)
    return progress_view(request, site, Visitor(who.learner, who.address, True), code=made)


@router.post("/progress/look-up")
def look_up(request: Request, site: SitePart, who: Writer, sent: Sent) -> Response:
    """Whose work a code opens, before it is used. A device without work has nothing to choose."""
    asked = sent.text("code").strip()
    is_empty = site.service.learners.get(who.learner).created_at is None
    try:
        summary = site.service.learners.look_up(asked, address=who.address)
    except NoSuchRecoveryCode:
        complaint = ("code", "We don't know this code. It may have been used already.")
        return progress_view(request, site, who, asked=asked, complaint=complaint)
    return progress_view(request, site, who, asked=asked, summary=summary, is_empty=is_empty)


@router.post("/progress/recover")
def recover(request: Request, site: SitePart, who: Writer, sent: Sent) -> Response:
    """Use a code: switch to its work, or join this device's work to it. The next code is shown."""
    asked = sent.text("code").strip()
    try:
        if sent.text("how") == "join":
            found = site.service.learners.join(who.learner, asked, address=who.address)
        else:
            found = site.service.learners.switch(asked, address=who.address)
    except NoSuchRecoveryCode:
        complaint = ("code", "We don't know this code. It may have been used already.")
        return progress_view(request, site, who, asked=asked, complaint=complaint)
    except TwoSeats:
        return progress_view(request, site, who, asked=asked, complaint=("code", TWO_SEATS))
    become(request, found.learner)
    now = Visitor(found.learner, who.address, True)
    return progress_view(request, site, now, code=found.code)
