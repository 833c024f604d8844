"""The outcomes of all mistakes of an exercise: what each gives on tests and examples."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from app.expectations.author import REFERENCE, Author
from app.expectations.docstrings import told
from app.grading.decide import mismatch_of
from app.grading.outcomes import outcome
from app.model import Call, Execution, FunctionInfo, Misconception, Outcome, TestCase

Outcomes = dict[str, tuple[Outcome, ...]]


def library(
    author: Author, tests: Sequence[TestCase]
) -> tuple[tuple[Misconception, ...], Outcomes]:
    """Every public function of mistakes/*.py as a misconception, with its outcomes.

    A file is loaded after reference.py, all its functions in one child; those that did not come to
    their own end there are run again, each in a child of its own.
    """
    misconceptions: list[Misconception] = []
    outcomes: Outcomes = {}
    reference = {f.name for f in author.functions(REFERENCE)}
    for path in author.exercise.python_files("mistakes"):
        functions = author.functions(path, after=(REFERENCE,))
        for function in functions:
            if function.name in reference:
                author.complain(path, function.name, "has the name of a function of reference.py.")
        _run_file(author, path, functions, tests, outcomes)
        misconceptions += [_misconception(author, path, function) for function in functions]
    _check(author, misconceptions)
    return tuple(misconceptions), outcomes


def _run_file(
    author: Author,
    path: str,
    functions: Sequence[FunctionInfo],
    tests: Sequence[TestCase],
    outcomes: Outcomes,
) -> None:
    calls = [Call(f.name, test.arguments) for f in functions for test in tests]
    executions = author.run((REFERENCE, path), calls) if calls else ()
    for number, function in enumerate(functions):
        own = executions[number * len(tests) : (number + 1) * len(tests)]
        if own and any(e.ended not in ("returned", "raised") for e in own):
            own = author.run((REFERENCE, path), calls[number * len(tests) :][: len(tests)])
        if own:
            outcomes[slug_of(function)] = _outcomes(author, own, tests)


def _outcomes(
    author: Author, executions: Sequence[Execution], tests: Sequence[TestCase]
) -> tuple[Outcome, ...]:
    exercise = author.exercise
    found = []
    for execution, test in zip(executions, tests, strict=True):
        mismatch = None
        if execution.ended == "returned":
            mismatch = mismatch_of(
                execution, test, exercise.tolerance, exercise.arguments_unchanged
            )
        found.append(outcome(execution, mismatch, test))
    return tuple(found)


def slug_of(function: FunctionInfo) -> str:
    """scale_d_model -> scale-d-model."""
    return function.name.replace("_", "-")


def _misconception(author: Author, path: str, function: FunctionInfo) -> Misconception:
    said = told(function.docstring, slug_of(function), len(author.exercise.hints))
    if said.problem:
        author.complain(path, function.name, said.problem)
    return Misconception(
        slug=slug_of(function),
        title=said.title,
        message=said.message,
        hint=said.hint,
        same=said.same,
        area=PurePosixPath(path).stem,
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
