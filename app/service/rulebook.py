"""What classes ask of the use cases around exercises: one port, and what holds where there is none.

`service/school/rules.py` has the real one.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Protocol

from app.classroom.showing import FREE, Rules, shown
from app.model import LearnerId, Slug
from app.model.classes import TryLimit
from app.records import Submission


class Rulebook(Protocol):
    """The rules of a learner's classes; asked with each request, so it answers from memory."""

    def rules(self, learner: LearnerId, slug: Slug) -> Rules:
        """What holds for a learner on an exercise now."""

    def open_to(self, learner: LearnerId, slug: Slug) -> bool:
        """Whether the exercise is there for a learner: others may have reserved it."""

    def enrolled(self, learner: LearnerId) -> bool:
        """Whether the learner is in a class: they take turns and rates of their own at once."""

    def due(self, learner: LearnerId, slug: Slug) -> bool:
        """Whether the moment of a try matters: an assignment on it is still open."""

    def limit(self, learner: LearnerId, slug: Slug, at: datetime) -> TryLimit | None:
        """How many tries count at a moment, or None."""

    def group(self, learner: LearnerId, slug: Slug) -> str:
        """The class that a try belongs to, "" for none: classes take turns with each other."""

    def may_join(self, gone: LearnerId, into: LearnerId) -> bool:
        """Whether one learner's work may go over to another's: not within a class; noted there."""


class NoRules:
    """The rulebook where there are no classes."""

    def rules(self, learner: LearnerId, slug: Slug) -> Rules:
        """Everything is free."""
        return FREE

    def open_to(self, learner: LearnerId, slug: Slug) -> bool:
        """Every exercise is there for everybody."""
        return True

    def enrolled(self, learner: LearnerId) -> bool:
        """False for all."""
        return False

    def due(self, learner: LearnerId, slug: Slug) -> bool:
        """Nothing is ever due."""
        return False

    def limit(self, learner: LearnerId, slug: Slug, at: datetime) -> TryLimit | None:
        """As many tries as one likes."""
        return None

    def group(self, learner: LearnerId, slug: Slug) -> str:
        """There are none."""
        return ""

    def may_join(self, gone: LearnerId, into: LearnerId) -> bool:
        """A learner with both codes may."""
        return True


def shown_submission(submission: Submission, rulebook: Rulebook) -> Submission:
    """A submission with its report as its learner may see it now, by any reader."""
    if submission.report is None:
        return submission
    rules = rulebook.rules(submission.learner, submission.exercise)
    return replace(submission, report=shown(submission.report, rules))
