"""The known mistakes that somebody's tries showed, over all exercises, for the progress page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.model import Slug
from app.records import Attempt
from app.service import Service
from app.web.report.view import expected


@dataclass(frozen=True)
class Met:
    """A known mistake, how many tries showed it, and whether a later one passed without it."""

    exercise: Slug
    title: str
    tries: int
    is_fixed: bool


def met(service: Service, history: Mapping[Slug, Sequence[Attempt]]) -> tuple[Met, ...]:
    """Each mistake that a report named, alone or in a set, the most frequent of an exercise first.

    `history` holds tries by exercise, the newest first. Mistakes that an exercise has no more are
    left out.
    """
    return tuple(one for slug, tries in history.items() for one in _met(service, slug, tries))


def _met(service: Service, slug: Slug, tries: Sequence[Attempt]) -> Iterator[Met]:
    counted = Counter(mistake for one in tries for mistake in dict.fromkeys(one.mistakes))
    known = expected(service, slug) if counted else None
    if known is None:
        return
    titles = {one.slug: one.title for one in known.misconceptions}
    is_fixed = any(one.verdict == "accepted" for one in tries)
    for mistake, number in counted.most_common():
        if mistake in titles:
            yield Met(slug, titles[mistake], number, is_fixed)
