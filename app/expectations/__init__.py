"""Expectations: what the trusted side knows of an exercise once its files were run in the jail.

`compute` runs cases, reference, mistakes and stages; `Cache` keeps the result on disk by digest.
Every fault of the author's is an `ExerciseError` with file and function, all at once.
"""

from __future__ import annotations

from app.catalog import ExerciseErrors
from app.expectations.author import Author
from app.expectations.cache import Cache
from app.expectations.cases import cases, parameters
from app.expectations.draws import draws
from app.expectations.library import library
from app.expectations.load import load_or_compute
from app.expectations.stages import stages
from app.model import Exercise, Expectations
from app.ports import Sandbox

__all__ = ["Cache", "compute", "load_or_compute"]


def compute(exercise: Exercise, sandbox: Sandbox) -> Expectations:
    """Run all files of an exercise in the jail and collect what grading needs.

    Raises ExerciseErrors where a file does not do what docs/exercise-format.md says; SandboxFault
    passes through, for it is ours and not the author's.
    """
    author = Author(exercise, sandbox)
    own = parameters(author)
    tests, examples = cases(author)
    _stop(author)
    misconceptions, everywhere = library(author, (*tests, *examples))
    shown = [case for case in (*tests, *examples) if case.visible]
    found = stages(author, shown)
    _stop(author)
    drawn, draw_faults = draws(author)
    return Expectations(
        digest=exercise.digest,
        parameters=own,
        tests=tests,
        examples=examples,
        misconceptions=misconceptions,
        outcomes={slug: all_[: len(tests)] for slug, all_ in everywhere.items()},
        on_examples={slug: all_[len(tests) :] for slug, all_ in everywhere.items()},
        stages=found,
        draws=drawn,
        draw_faults=draw_faults,
    )


def _stop(author: Author) -> None:
    if author.errors:
        raise ExerciseErrors(dict.fromkeys(author.errors))
