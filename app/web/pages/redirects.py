"""Ways back: addresses that show nothing by themselves, and what their reader wanted to see.

After its answer a form's address stands in the address bar; a link may carry a slash too many, or
an exercise's name in capitals. Nothing of an address goes into a redirect unless it is known.
"""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response

from app.model import Slug
from app.web.deps import COUNTED, Reader, SitePart, submission_id
from app.web.pages.routes import meant
from app.web.wall import Role, needs

router = APIRouter(include_in_schema=False, dependencies=[*COUNTED, needs(Role.VISITOR)])


@router.get("/exercises")
@router.get("/exercises/")
def to_home() -> Response:
    """The list of exercises is the home page."""
    return RedirectResponse("/", 308)


@router.get("/exercises/{slug}/")
@router.get("/exercises/{slug}/submissions")
@router.get("/exercises/{slug}/run")
@router.get("/exercises/{slug}/hints")
@router.get("/exercises/{slug}/solution")
@router.get("/exercises/{slug}/keep")
@router.get("/exercises/{slug}/drafts")
def to_exercise(slug: Slug, site: SitePart, who: Reader) -> Response:
    """From a form on an exercise's page to the page. Raises NoSuchExercise."""
    known = meant(site, slug) or site.service.exercises.get_for(who.learner, slug).slug
    return RedirectResponse(f"/exercises/{known}", 303)


@router.get("/submissions/{submission}/")
@router.get("/submissions/{submission}/share")
@router.get("/submissions/{submission}/look")
def to_submission(submission: str) -> Response:
    """From a form on a submission's page to the page. Raises NoSuchSubmission."""
    return RedirectResponse(f"/submissions/{submission_id(submission)}", 303)


@router.get("/progress/")
@router.get("/progress/name")
@router.get("/progress/code")
@router.get("/progress/look-up")
@router.get("/progress/recover")
def to_progress() -> Response:
    """From a form on the progress page to the page."""
    return RedirectResponse("/progress", 303)


@router.get("/docs/")
def to_docs() -> Response:
    """The page of the interface."""
    return RedirectResponse("/docs", 308)
