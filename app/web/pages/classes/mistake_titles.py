"""What mistakes are called on the pages of those who teach: by their titles, not their ids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.model import Slug
from app.model.classes import ClassId, EnrolmentId
from app.web.deps import Site
from app.web.report.view import expected


def mistake_titles(site: Site, slug: Slug) -> Mapping[str, str]:
    """The titles of an exercise's misconceptions, by slug; {} for one that is offered no more."""
    if site.service.exercises.catalog.get(slug) is None:
        return {}
    found = expected(site.service, slug)
    return {} if found is None else {one.slug: one.title for one in found.misconceptions}


def receipts_and_titles(site: Site, class_id: ClassId, enrolment: EnrolmentId) -> dict[str, Any]:
    """One learner's receipts, and by assignment the titles of the mistakes in their tries.

    Raises NotThere.
    """
    receipts = site.service.school.grades.receipts(class_id, enrolment)
    titles = {
        one.assignment.id: mistake_titles(site, one.assignment.exercise)
        for one in receipts
        if any(each.mistakes for each in one.tries)
    }
    return {"receipts": receipts, "titles": titles}
