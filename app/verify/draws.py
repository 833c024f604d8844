"""Proof by draws: what passes the six tests is right on 256 random legal inputs as well.

A program that passes the tests and fails a draw is a hole: some submission would be accepted though
it is wrong. A mutant that passes the draws too, on a line that they run, is taken for equivalent.
"""

from __future__ import annotations

import ast
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from app.expectations.draws import INPUTS, number_of
from app.grading.decide import is_right
from app.model import Call, Lane, Limits, Order, Source, TestCase, Verdict
from app.verify.literals import literal
from app.verify.proof import MISSED, Complaint, Kill, Survivor
from app.verify.trial import CASES, REFERENCE, RESULT_BYTES, SETTINGS, Trial

BUDGET_S = 60.0
SHOWN_CHARACTERS = 32_000
"""A draw that takes more to be written down is told by its number."""


def faults(trial: Trial) -> Iterator[Complaint]:
    """What is wrong with `draw`, for which the exercise goes without draws."""
    for fault in trial.expectations.draw_faults:
        found = trial.complaint(fault.file, fault.key, fault.message)
        yield found if fault.line is None else replace(found, line=fault.line)


def advice(trial: Trial) -> Iterator[str]:
    """What an exercise without draws goes without."""
    exercise = trial.exercise
    if INPUTS not in exercise.files:
        yield (
            f"there is no {INPUTS}. With a draw(rng) of random legal inputs, check finds wrong code"
            " that the six tests accept, and learners get a small input that their code fails."
        )
    elif exercise.legal is None:
        yield f"{SETTINGS} has no [legal], so nothing proves that {INPUTS} draws all that is legal."


def accepted(trial: Trial) -> Iterator[Complaint]:
    """Every other right solution is right on all draws."""
    for path in trial.exercise.python_files("accepted"):
        draw = first_off(trial, (trial.exercise.source(path),), trial.exercise.entry_point)
        if draw is not None:
            message = (
                f"is accepted, but off on draw {number_of(draw)}. Either it is wrong, or inputs.py"
                f" draws what the statement does not allow. {shown(draw)}"
            )
            yield Complaint(path, message)


def still_open(
    trial: Trial, table: Sequence[Kill], sources: Sequence[bytes]
) -> Iterator[Complaint]:
    """Sources known to be wrong that the six tests still accept."""
    for number, source in enumerate(sources, 1):
        if trial.submit(source).verdict is not Verdict.ACCEPTED:
            continue
        file = Source(f"hole {number}", source)
        draw = first_off(trial, (file,), trial.exercise.entry_point)
        if draw is not None:
            message = f"accepts wrong code that a learner submitted. {hole(trial, table, draw)}"
            yield Complaint(CASES, message)


def first_off(trial: Trial, sources: Sequence[Source], function: str) -> TestCase | None:
    """The smallest draw on which a function does not give what the reference gives."""
    draws = trial.expectations.draws
    if not draws:
        return None
    exercise = trial.exercise
    calls = tuple(Call(function, draw.arguments) for draw in draws)
    ran = trial.sandbox.run(Order(tuple(sources), calls, _limits(exercise.limits), Lane.AUTHOR))
    if ran.problems or ran.loading.ended != "returned":
        return draws[0]
    for draw, execution in zip(draws, ran.executions, strict=True):
        if not is_right(exercise, draw, execution):
            return draw
    return None


def _limits(own: Limits) -> Limits:
    """Room for 256 small calls in one child; one call has the exercise's own limits."""
    return replace(
        own, budget_cpu_s=BUDGET_S, budget_wall_s=2 * BUDGET_S, result_bytes=RESULT_BYTES
    )


# ------------------------------------------------------------------ survivors


def weighed(trial: Trial, survivors: tuple[Survivor, ...]) -> tuple[Survivor, ...]:
    """Survivors of the six tests with what the draws say of them; as they were without draws."""
    if not trial.expectations.draws or not survivors:
        return survivors
    runs = _runs(trial)
    own = _statements(trial.exercise.files[REFERENCE])
    return tuple(
        replace(survivor, hole=hole, runs=_runs_of(runs, own, survivor.mutant.line))
        for survivor, hole in zip(
            survivors, trial.each(lambda one: _off_draw(trial, one), survivors), strict=True
        )
    )


def _off_draw(trial: Trial, survivor: Survivor) -> TestCase | None:
    source = Source(REFERENCE, survivor.mutant.source)
    return first_off(trial, (source,), trial.exercise.entry_point)


def _runs(trial: Trial) -> Counter[int]:
    """How many draws run each line of the reference that assigns, returns or begins a function."""
    exercise, draws = trial.exercise, trial.expectations.draws
    calls = tuple(Call(exercise.entry_point, draw.arguments) for draw in draws)
    sources = (exercise.source(REFERENCE),)
    order = Order(sources, calls, _limits(exercise.limits), Lane.AUTHOR, trace=True)
    traces = trial.sandbox.run(order).traces
    return Counter(line for trace in traces for line in {step.line for step in trace.lines})


def _statements(source: bytes) -> dict[int, int]:
    """The first line of the statement that assigns or returns, by each line that belongs to it."""
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}  # the jail's own limits let it pass, and ours do not
    found = [
        (node.lineno, node.end_lineno or node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Return)
    ]
    return {line: first for first, last in found for line in range(first, last + 1)}


def _runs_of(runs: Counter[int], own: Mapping[int, int], line: int) -> int:
    """Of the statement that a line belongs to; else of the nearest traced line at or above it."""
    if line in own:
        return runs[own[line]]
    above = [traced for traced in runs if traced <= line]
    return runs[max(above)] if above else 0


# ------------------------------------------------------------------ holes in words


def hole(trial: Trial, table: Sequence[Kill], draw: TestCase) -> str:
    """How a hole can be closed: the test to change, and the smallest draw as a test case."""
    return (
        f"Close the hole: change {_spare_test(trial, table)} in {CASES}, or have it return a list"
        f" of calls with this one in it. {shown(draw)}"
    )


def _spare_test(trial: Trial, table: Sequence[Kill]) -> str:
    """The hidden test that alone catches the fewest mistakes."""
    alone: Counter[int] = Counter()
    for kill in table:
        caught = [at for at, letter in enumerate(kill.letters) if letter != MISSED]
        if len(caught) == 1:
            alone[caught[0]] += 1
    hidden = [at for at, test in enumerate(trial.expectations.tests) if not test.visible]
    at = min(hidden or range(len(trial.expectations.tests)), key=lambda one: alone[one])
    name, count = trial.expectations.tests[at].name, alone[at]
    if count == 0:
        return f"{name}, without which every mistake is still caught,"
    return f"{name}, which alone catches {count} mistake{'' if count == 1 else 's'},"


def shown(draw: TestCase) -> str:
    """A draw as a function for cases.py, where it is small enough to be written down."""
    try:
        arguments = ",\n        ".join(map(literal, draw.arguments))
    except ValueError:
        arguments = ""
    if not 0 < len(arguments) <= SHOWN_CHARACTERS:
        number = number_of(draw)
        return f"The smallest input is draw(np.random.default_rng([2026, {number}]))."
    return (
        "The smallest input, as a test case:\n\n"
        f'    def {draw.name}():\n        """Say what it probes."""\n'
        f"        return (\n        {arguments},\n        )\n"
    )
