"""The outcomes of all mistakes of an exercise: what each gives on tests and examples.

A file of mistakes/ that is named like a function of reference.py holds wrong versions of that
function; every other file holds wrong versions of the entry point.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from app.expectations.author_files import REFERENCE, Author
from app.expectations.docstrings import parse_docstring
from app.expectations.modes import Mode, sources_of, without_mode
from app.expectations.plain_values import n_bytes
from app.grading.decide import mismatch_of
from app.grading.outcomes import outcome
from app.model import (
    Call,
    Execution,
    FunctionInfo,
    LeftOut,
    Misconception,
    Outcome,
    Parameter,
    TestCase,
)
from app.model.bounds import MISTAKES, MISTAKES_BYTES

Outcomes = dict[str, tuple[Outcome, ...]]


def library(
    author: Author, tests: Sequence[TestCase]
) -> tuple[tuple[Misconception, ...], Outcomes, tuple[LeftOut, ...]]:
    """Every public function of mistakes/*.py as a misconception, with its outcomes.

    A file is loaded after reference.py, all its functions in one child; those that did not come to
    their own end there are run again, each in a child of its own. What has other parameters than
    the function its file is named like is taken for the entry point, if it can be, and told.
    """
    misconceptions: list[Misconception] = []
    outcomes: Outcomes = {}
    left_out: list[LeftOut] = []
    helpers = {f.name: f for f in author.functions(REFERENCE)}
    for path, functions in _functions(author).items():
        for function in functions:
            if function.name in helpers:
                author.complain(path, function.name, "has the name of a function of reference.py.")
        modes = [_mode(author, path, function, helpers, left_out) for function in functions]
        _run_file(author, tuple(helpers), path, modes, tests, outcomes)
        misconceptions += [
            _misconception(author, path, function, mode.target)
            for function, mode in zip(functions, modes, strict=True)
        ]
        if _size(outcomes) > MISTAKES_BYTES:
            message = f"gives, with the files before it, over {MISTAKES_BYTES // 2**20} MiB."
            author.complain(path, "", f"{message} Make the cases' arrays smaller.")
            break
    _check(author, misconceptions)
    return tuple(misconceptions), outcomes, tuple(left_out)


def _functions(author: Author) -> dict[str, tuple[FunctionInfo, ...]]:
    """The mistakes of each file; {} and a complaint where they are too many."""
    found: dict[str, tuple[FunctionInfo, ...]] = {}
    for path in author.exercise.python_files("mistakes"):
        found[path] = author.functions(path, after=(REFERENCE,))
        if sum(map(len, found.values())) > MISTAKES:
            message = f"is one too many: with it there are more than {MISTAKES} mistakes."
            author.complain(path, found[path][-1].name, f"{message} Keep those learners make.")
            return {}
    return found


def _mode(
    author: Author,
    path: str,
    function: FunctionInfo,
    helpers: dict[str, FunctionInfo],
    left_out: list[LeftOut],
) -> Mode:
    """What a function of a file stands in for; the entry point where its parameters don't fit."""
    entry = author.exercise.entry_point
    stem = PurePosixPath(path).stem
    if stem not in helpers or _takes(function) == _takes(helpers[stem]):
        return Mode(path, function.name, stem if stem in helpers else entry)
    reason = (
        f"takes {_spelled(function)}, but {stem} of reference.py takes {_spelled(helpers[stem])}. "
        f"Write the wrong {stem} alone, or rename the file."
    )
    left_out.append(LeftOut(slug_of(function), reason))
    return Mode(path, function.name, entry)


def _takes(function: FunctionInfo) -> tuple[str, ...]:
    return tuple(parameter.name for parameter in function.parameters)


def _spelled(function: FunctionInfo) -> str:
    return f"({', '.join(_takes(function))})"


def _run_file(
    author: Author,
    helpers: tuple[str, ...],
    path: str,
    modes: Sequence[Mode],
    tests: Sequence[TestCase],
    outcomes: Outcomes,
) -> None:
    sources = sources_of(author.exercise, helpers, _parameters(author), modes)
    calls = [Call("wrong", (at, *test.arguments)) for at in range(len(modes)) for test in tests]
    executions = author.run(sources, calls) if calls else ()
    for number, mode in enumerate(modes):
        own = executions[number * len(tests) : (number + 1) * len(tests)]
        if own and any(e.ended not in ("returned", "raised") for e in own):
            own = author.run(sources, calls[number * len(tests) :][: len(tests)])
        if own:
            outcomes[mode.function.replace("_", "-")] = _outcomes(author, own, tests)


def _parameters(author: Author) -> tuple[Parameter, ...]:
    entry = author.exercise.entry_point
    return next((f.parameters for f in author.functions(REFERENCE) if f.name == entry), ())


def _outcomes(
    author: Author, executions: Sequence[Execution], tests: Sequence[TestCase]
) -> tuple[Outcome, ...]:
    exercise = author.exercise
    found = []
    for execution, test in zip(map(without_mode, executions), tests, strict=True):
        mismatch = None
        if execution.ended == "returned":
            mismatch = mismatch_of(
                execution, test, exercise.tolerance, exercise.arguments_unchanged
            )
        found.append(outcome(execution, mismatch, test))
    return tuple(found)


def _size(outcomes: Outcomes) -> int:
    return sum(n_bytes(one.value) for each in outcomes.values() for one in each)


def slug_of(function: FunctionInfo) -> str:
    """scale_d_model -> scale-d-model."""
    return function.name.replace("_", "-")


def _misconception(author: Author, path: str, function: FunctionInfo, target: str) -> Misconception:
    said = parse_docstring(function.docstring, slug_of(function), len(author.exercise.hints))
    if said.problem:
        author.complain(path, function.name, said.problem)
    return Misconception(
        slug=slug_of(function),
        title=said.title,
        message=said.message,
        hint=said.hint,
        same=said.same,
        area=PurePosixPath(path).stem,
        target=target,
        company=said.company,
    )


def _check(author: Author, misconceptions: Sequence[Misconception]) -> None:
    """No slug twice, and every group has a member that stands for it."""
    stands = {m.slug for m in misconceptions if m.same == m.slug}
    seen: set[str] = set()
    for one in misconceptions:
        path, name = f"mistakes/{one.area}.py", one.slug.replace("-", "_")
        if one.slug in seen:
            author.complain(path, name, "is defined twice; give one of the two another name.")
        if one.same not in stands:
            author.complain(path, name, f"is the same as {one.same!r}, which stands for no group.")
        seen.add(one.slug)
