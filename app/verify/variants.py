"""Proof by mutants: a small change to the reference is caught, or listed with a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from app.expectations.draws import INPUTS
from app.grading import judge
from app.model import EquivalentMutant, Lane, Limits, Mutant, Verdict
from app.verify import draws
from app.verify.proof import Complaint, Kill, Survivor
from app.verify.trial import REFERENCE, SETTINGS, Trial

LEAST_CPU_S = 0.25
TIMES_REFERENCE = 20


def survivors(
    trial: Trial, mutants: tuple[Mutant, ...], tick: Callable[[], None]
) -> tuple[Survivor, ...]:
    """The mutants no case catches, with the author's reasons. Running into a limit is caught."""
    limits = _limits(trial)

    def survives(mutant: Mutant) -> bool:
        passed = _accepted(trial, mutant, limits)
        tick()
        return passed

    alive = trial.each(survives, mutants)
    reasons = {(e.line, plain(e.change)): e for e in trial.exercise.equivalent_mutants}
    return tuple(
        Survivor(mutant, reasons.get((mutant.line, plain(mutant.change))))
        for mutant, lives in zip(mutants, alive, strict=True)
        if lives
    )


def _limits(trial: Trial) -> Limits:
    """Many times what the reference takes: a mutant that loops is not worth two seconds."""
    own = trial.exercise.limits
    order = judge.order(
        trial.exercise,
        trial.expectations,
        trial.exercise.files[REFERENCE],
        trial.expectations.tests,
        Lane.AUTHOR,
    )
    slowest_s = max(e.cpu_ms for e in trial.sandbox.run(order).executions) / 1e3
    cpu_s = min(own.cpu_s, max(LEAST_CPU_S, TIMES_REFERENCE * slowest_s))
    return replace(own, cpu_s=cpu_s)


def _accepted(trial: Trial, mutant: Mutant, limits: Limits) -> bool:
    exercise, expectations = trial.exercise, trial.expectations
    order = judge.order(exercise, expectations, mutant.source, expectations.tests, Lane.AUTHOR)
    ran = trial.sandbox.run(replace(order, limits=limits))
    report = judge.judge(exercise, expectations, ran, source=mutant.source, submission=None)
    return report.verdict is Verdict.ACCEPTED


def complaints(
    trial: Trial,
    mutants: tuple[Mutant, ...],
    alive: tuple[Survivor, ...],
    table: tuple[Kill, ...],
) -> Iterator[Complaint]:
    """Survivors without a reason, and reasons without a survivor."""
    if not mutants:
        message = (
            "No mutant can be made of it: it computes nothing, or an expression is nested too"
            " deeply. Split it into several lines."
        )
        yield trial.complaint(REFERENCE, trial.exercise.entry_point, message)
    for survivor in alive:
        message = _alive(trial, table, survivor)
        if message:
            yield Complaint(REFERENCE, message, "", survivor.mutant.line)
    made = {(m.line, plain(m.change)) for m in mutants}
    used = {(s.mutant.line, plain(s.mutant.change)) for s in alive}
    for number, declared in enumerate(trial.exercise.equivalent_mutants, 1):
        key = (declared.line, plain(declared.change))
        if key not in used:
            yield trial.complaint(
                SETTINGS, f"equivalent_mutant[{number}]", _stale(declared, key in made)
            )


def _alive(trial: Trial, table: tuple[Kill, ...], survivor: Survivor) -> str:
    """What is off about a survivor: it is a hole, or nothing speaks for it."""
    mutant = survivor.mutant
    if survivor.hole is not None:
        also = ", though it is listed as equivalent" if survivor.declared else ""
        told = draws.hole(trial, table, survivor.hole)
        return f"{mutant.change}: passes all six cases and fails a draw{also}. {told}"
    if survivor.why:
        return ""
    listed = (
        f"list it in {SETTINGS} as [[equivalent_mutant]] with line = {mutant.line},"
        f" change = {quoted(mutant.change)} and a why."
    )
    if trial.expectations.draws:
        return (
            f"{mutant.change}: passes all six cases, and only {survivor.runs} draws run this line."
            f" Let draw in {INPUTS} reach it more often, or {listed}"
        )
    return (
        f"{mutant.change}: passes all six cases. Add a case that catches this change, or {listed}"
    )


def _stale(declared: EquivalentMutant, is_made: bool) -> str:
    what = f"line {declared.line}, {declared.change}"
    if is_made:
        return f"lists {what}, which the cases catch. Take the entry out."
    return f"lists {what}, a change that is not made there. Fix the line, or take it out."


def plain(change: str) -> str:
    """A change without its spaces: how an author spaces it does not count."""
    return "".join(change.split())


def quoted(change: str) -> str:
    """A change as a TOML string."""
    return f"'{change}'" if '"' in change and "'" not in change else f'"{_escaped(change)}"'


def _escaped(change: str) -> str:
    return change.replace("\\", "\\\\").replace('"', '\\"')
