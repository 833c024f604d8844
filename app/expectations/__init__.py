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
from app.expectations.company import in_company
from app.expectations.draws import confirming, draws
from app.expectations.library import library
from app.expectations.load import load_or_compute
from app.expectations.metered import Metered
from app.expectations.pairs import on_shown, pairs
from app.expectations.place import placed
from app.expectations.stages import stages
from app.model import Exercise, Expectations, calls_of
from app.model.bounds import FOLDER_CPU_S
from app.ports import Sandbox

__all__ = ["Cache", "compute", "load_or_compute"]


def compute(exercise: Exercise, sandbox: Sandbox) -> Expectations:
    """Run all files of an exercise in the jail and collect what grading needs.

    Raises ExerciseErrors where a file does not do what docs/exercise-format.md says, or all of them
    take too long; SandboxFault passes through, for it is ours and not the author's.
    """
    author = Author(exercise, Metered(exercise, sandbox, FOLDER_CPU_S))
    try:
        return _computed(author)
    except ExerciseErrors as others:
        raise ExerciseErrors(dict.fromkeys((*author.errors, *others.errors))) from None


def _computed(author: Author) -> Expectations:
    exercise = author.exercise
    own = parameters(author)
    tests, examples = cases(author)
    _stop(author)
    drawn, draw_faults = draws(author)
    sure = confirming(drawn)
    here = [drawn[at] for at in sure]
    calls = calls_of(tests)
    misconceptions, everywhere, unlike = library(author, (*calls, *examples, *here))
    shown = [case for case in (*tests, *examples) if case.visible]
    found = stages(author, shown)
    _stop(author)
    outcomes = {slug: all_[: len(calls)] for slug, all_ in everywhere.items()}
    until = len(calls) + len(examples)
    helpers = tuple(f.name for f in author.functions(REFERENCE))
    misconceptions, apart = in_company(author, helpers, own, misconceptions)
    both, passing, spoilt = pairs(author, helpers, own, misconceptions, outcomes, calls)
    to_run = [*(test for test in tests if test.visible), *examples]
    case = next((c for c in (*examples, *tests) if c.name == exercise.trace), tests[0])
    return Expectations(
        digest=exercise.digest,
        parameters=own,
        tests=tests,
        examples=examples,
        misconceptions=placed(author, helpers, own, misconceptions, case),
        outcomes=outcomes,
        on_examples={slug: all_[len(calls) : until] for slug, all_ in everywhere.items()},
        stages=found,
        draws=drawn,
        draw_faults=draw_faults,
        helpers=helpers,
        pairs=both,
        left_out=(*unlike, *apart, *spoilt),
        passing=passing,
        confirming=sure,
        on_draws={slug: all_[until:] for slug, all_ in everywhere.items()},
        pairs_on_draws=on_shown(author, helpers, own, misconceptions, both, here),
        shown=on_shown(author, helpers, own, misconceptions, both, to_run),
    )


def _stop(author: Author) -> None:
    if author.errors:
        raise ExerciseErrors(dict.fromkeys(author.errors))
