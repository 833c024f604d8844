"""The exercise that a refused request was about, for the page to lead back to."""

from __future__ import annotations

import difflib

from starlette.requests import Request

from app.model import Exercise
from app.web.deps import NOBODY, site_of
from app.web.guard import notes


def asked_about(request: Request) -> Exercise | None:
    """The one in the address, where it is there for who asks. Raises StoreAway."""
    slug = request.path_params.get("slug")
    learner, _ = notes(request).session or (None, False)
    there = site_of(request).service.exercises.all_for(learner or NOBODY) if slug else ()
    return next((one for one in there if one.slug == slug), None)


def nearest(request: Request) -> Exercise | None:
    """The one whose address is most like the one asked for. Raises StoreAway."""
    there = site_of(request).service.exercises.all_for(NOBODY)
    exercises = {str(exercise.slug): exercise for exercise in there}
    asked = request.url.path.rstrip("/").rsplit("/", 1)[-1].lower()
    found = difflib.get_close_matches(asked, exercises, 1, 0.6)
    return exercises[found[0]] if found else None
