"""What mistakes are called on the pages of those who teach: by their titles, not their ids."""

from __future__ import annotations

from collections.abc import Mapping

from app.model import Slug
from app.web.deps import Site
from app.web.report.view import expected


def mistake_titles(site: Site, slug: Slug) -> Mapping[str, str]:
    """The titles of an exercise's misconceptions, by slug; {} for one that is offered no more."""
    if site.service.exercises.catalog.get(slug) is None:
        return {}
    found = expected(site.service, slug)
    return {} if found is None else {one.slug: one.title for one in found.misconceptions}
