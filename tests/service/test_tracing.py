"""What the code does, beside a report: after the verdict, never in its way."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.grading import judge
from app.model import (
    Assigned,
    Exercise,
    Expectations,
    Lane,
    LearnerId,
    Order,
    Ran,
    Report,
    Slug,
    Trace,
    TracedLine,
    Verdict,
)
from app.ports import Jails, SandboxFault
from app.service import Service
from app.service.tracing import traced_case, with_trace
from tests.fakes import FakeSandbox
from tests.service.world import EXERCISES, PATIENCE_S, REFERENCE, SOFTMAX, WRONG, World

ANN = LearnerId("ann")
HEADS = Slug("multi-head-attention")
RESHAPED = (EXERCISES / HEADS / "reference.py").read_bytes().replace(
    b"heads.transpose(1, 0, 2).reshape(", b"heads.reshape("
)  # fmt: skip


class Noting(FakeSandbox):
    """Gives each traced call a trace of one line, and remembers what was asked for."""

    def __init__(self, *, faulty: bool = False) -> None:
        self.traced: list[Order] = []
        self._faulty = faulty

    def run(self, order: Order) -> Ran:
        if not order.trace:
            return super().run(order)
        self.traced.append(order)
        if self._faulty:
            raise SandboxFault("no child")
        line = TracedLine(
            2,
            "f",
            "assign",
            1,
            (Assigned("x", "int", text="1"),),
            (Assigned("x", "int", text="1"),),
        )
        traces = tuple(Trace(call, (line,)) for call in range(len(order.calls)))
        return replace(super().run(order), traces=traces)


def _seen(
    service: Service, sandbox: FakeSandbox, slug: Slug, source: bytes, name: str | None = None
) -> tuple[Report, Report]:
    """A report on all six, and the same with sight."""
    exercise: Exercise = service.exercises.get(slug)
    known: Expectations = service.exercises.expectations(slug)
    order = judge.order(exercise, known, source, known.tests, Lane.FAST)
    report = judge.judge(exercise, known, sandbox.run(order), source=source, submission=None)
    return report, with_trace(Jails.one(sandbox), exercise, known, source, report, name)


def test_a_failed_submission_shows_shapes_and_the_probe(service: Service) -> None:
    sandbox = Noting()
    report, seen = _seen(service, sandbox, HEADS, RESHAPED)
    assert report.verdict is seen.verdict is Verdict.WRONG_ANSWER
    assert seen.trace is not None
    assert (seen.trace.case, seen.trace.ended) == ("worked_example", "returned")
    assert seen.subject == "worked_example"
    assert seen.probe is not None
    assert seen.probe.headline == "18 of 24 values ended up in the wrong place."
    assert [len(order.calls) for order in sandbox.traced] == [4]


def test_only_words_trace_and_probe_are_added(service: Service) -> None:
    report, seen = _seen(service, Noting(), HEADS, RESHAPED)
    said = replace(seen, message=report.message, help=report.help)
    assert replace(said, trace=None, probe=None) == report


def test_a_right_program_gets_no_probe(service: Service) -> None:
    sandbox = Noting()
    source = (EXERCISES / HEADS / "reference.py").read_bytes()
    _, seen = _seen(service, sandbox, HEADS, source)
    assert seen.trace is not None
    assert seen.probe is None
    assert [len(order.calls) for order in sandbox.traced] == [1]


@pytest.mark.parametrize("source", [b"def f(:\n", b"x = 1\n"])
def test_what_was_not_run_is_not_traced(service: Service, source: bytes) -> None:
    sandbox = Noting()
    report, seen = _seen(service, sandbox, HEADS, source)
    assert seen is report
    assert sandbox.traced == []


def test_a_fault_of_ours_costs_the_trace_alone(service: Service) -> None:
    report, seen = _seen(service, Noting(faulty=True), HEADS, RESHAPED)
    assert seen == report


def test_a_case_can_be_chosen_and_the_trace_be_switched_off(service: Service) -> None:
    exercise, known = service.exercises.get(HEADS), service.exercises.expectations(HEADS)
    names = [None, "worked_example", "", "large_scores", "nothing"]
    cases = [traced_case(exercise, known, None, name) for name in names]
    assert [case and case.name for case in cases] == [
        "all_sizes_5x12", "worked_example", "all_sizes_5x12", "all_sizes_5x12", "all_sizes_5x12",
    ]  # fmt: skip
    subject = traced_case(exercise, known, "eight_heads", "worked_example")
    assert subject is not None and subject.name == "eight_heads"
    hidden = traced_case(exercise, known, "large_scores", None)
    assert hidden is not None and hidden.name == "all_sizes_5x12"


def test_a_run_is_traced_after_it_was_judged(world: World, service: Service) -> None:
    service.runs.run(ANN, SOFTMAX, REFERENCE).result(PATIENCE_S)
    assert [order.trace for order in world.sandbox.orders] == [False, True]
    service.runs.run(ANN, SOFTMAX, REFERENCE, trace="").result(PATIENCE_S)
    assert [order.trace for order in world.sandbox.orders] == [False, True, False]


def test_a_submission_is_traced_only_for_a_page(world: World, service: Service) -> None:
    """A script that asks over the interface wants the verdict, and wants it now."""
    for see, orders in ((False, [False]), (True, [False, True])):
        world.sandbox.orders.clear()
        submission = service.submissions.submit(ANN, SOFTMAX, WRONG, see=see)
        assert (
            service.submissions.verdict(submission.id).result(PATIENCE_S)["verdict"]
            == "wrong_answer"
        )
        assert [order.trace for order in world.sandbox.orders] == orders


def test_probes_are_no_examples_of_a_run(service: Service) -> None:
    names = _names(service.runs.run(ANN, HEADS, RESHAPED).result(PATIENCE_S))
    assert "own_tokens" not in names
    assert "all_sizes_5x12" in names
    named = service.runs.run(ANN, HEADS, RESHAPED, case="own_tokens").result(PATIENCE_S)
    assert _names(named) == ["own_tokens"]


def _names(report: Any) -> list[str]:
    return [test["name"] for test in report["tests"]]


def test_an_accepted_submission_is_not_traced(world: World, service: Service) -> None:
    for source, traced in ((WRONG, [False, True]), (REFERENCE, [False])):
        world.sandbox.orders.clear()
        submission = service.submissions.submit(ANN, SOFTMAX, source, see=True)
        service.submissions.verdict(submission.id).result(PATIENCE_S)
        orders = [order.trace for order in world.sandbox.orders]
        assert orders[: len(traced)] == traced
        assert not any(orders[len(traced) :])  # what is accepted is looked at again
