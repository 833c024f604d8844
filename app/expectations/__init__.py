"""Expectations: what the trusted side knows of an exercise once its files were run in the jail.

`compute` runs cases, reference, mistakes, pairs of them, and stages; `Cache` keeps the result on
disk by digest.
Every fault of the author's is an `ExerciseError` with file and function, all at once.
"""

from __future__ import annotations

from app.catalog import ExerciseErrors
from app.expectations.author_files import REFERENCE, Author
from app.expectations.cache import Cache
from app.expectations.cases import cases, parameters
from app.expectations.draws import draws
from app.expectations.library import library
from app.expectations.load import load_or_compute
from app.expectations.pairs import pairs
from app.expectations.place import placed
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
    misconceptions, everywhere, unlike = library(author, (*tests, *examples))
    shown = [case for case in (*tests, *examples) if case.visible]
    found = stages(author, shown)
    _stop(author)
    drawn, draw_faults = draws(author)
    outcomes = {slug: all_[: len(tests)] for slug, all_ in everywhere.items()}
    helpers = tuple(f.name for f in author.functions(REFERENCE))
    both, spoilt = pairs(author, helpers, own, misconceptions, outcomes, tests)
    case = next((c for c in (*examples, *tests) if c.name == exercise.trace), tests[0])
    return Expectations(
        digest=exercise.digest,
        parameters=own,
        tests=tests,
        examples=examples,
        misconceptions=placed(author, helpers, own, misconceptions, case),
        outcomes=outcomes,
        on_examples={slug: all_[len(tests) :] for slug, all_ in everywhere.items()},
        stages=found,
        draws=drawn,
        draw_faults=draw_faults,
        helpers=helpers,
        pairs=both,
        left_out=(*unlike, *spoilt),
    )


def _stop(author: Author) -> None:
    if author.errors:
        raise ExerciseErrors(dict.fromkeys(author.errors))
