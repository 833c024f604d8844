"""Runs: visible cases and own arguments, nothing stored."""

from __future__ import annotations

import pytest

from app.admission import Allowance
from app.model import LearnerId
from app.service import BadArguments, NoSuchCase, Refused, Service
from tests.service.world import PATIENCE_S, REFERENCE, SOFTMAX, WRONG, World

ANN = LearnerId("ann")


def names_in(report: object) -> list[str]:
    assert isinstance(report, dict)
    return [test["name"] for test in report["tests"]]


def test_a_run_shows_visible_cases_and_examples_and_stores_nothing(service: Service) -> None:
    report = service.runs.run(ANN, SOFTMAX, REFERENCE).result(PATIENCE_S)
    expected = service.exercises.expectations(SOFTMAX)
    shown = [case.name for case in (*expected.tests, *expected.examples) if case.visible]
    assert names_in(report) == shown
    assert len(shown) < 6
    assert (report["submission"], report["verdict"]) == (None, "accepted")
    assert service.submissions.history(ANN, SOFTMAX) == ()
    assert service.learners.get(ANN).created_at is None


def test_one_case_by_name(service: Service) -> None:
    name = service.exercises.expectations(SOFTMAX).examples[0].name
    assert names_in(service.runs.run(ANN, SOFTMAX, WRONG, case=name).result(PATIENCE_S)) == [name]


def test_a_hidden_case_cannot_be_run(service: Service) -> None:
    hidden = next(
        case for case in service.exercises.expectations(SOFTMAX).tests if not case.visible
    )
    for name in (hidden.name, "nothing"):
        with pytest.raises(NoSuchCase):
            service.runs.run(ANN, SOFTMAX, REFERENCE, case=name).result(PATIENCE_S)


def test_own_arguments_go_to_ones_own_code_and_to_the_reference(
    world: World, service: Service
) -> None:
    """Three children: neither the text of the arguments nor the reference meets the source."""
    report = service.runs.run(ANN, SOFTMAX, WRONG, arguments="np.array([[1.0, 2.0]]), 1").result(
        PATIENCE_S
    )
    assert names_in(report) == ["custom"]
    assert report["verdict"] == "wrong_answer"
    names = [[source.name for source in order.sources] for order in world.sandbox.orders]
    assert names == [["lists", "arguments"], ["solution.py"], ["reference.py"]]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("np.array([[1.0, 2.0]])", None),
        ("(np.array([1.0]), 0)", None),
        ("np.array([1.0]), 0, ", None),
        ("np.array([1.0]),  # one list of scores", None),
        ("np.ones(", "as in a call: x, axis"),
        ("undefined_name, 1", "raise NameError"),
        ("1, 2, 3", "takes 2 arguments"),
        ("   ", "separated by commas"),
        ("1" * 5000, "4,096 bytes"),
        ("\ud800", "as in a call"),
        ("[1.0, 2.0], 0", None),
        ("[[1, 2], [3, 4]], -1", None),
        ("[[1, 2], [3]], 0", "must have the same length"),
        ("['a'], 0", "dtype <U1"),
        ("{1.0}, 0", "of type set. Use np.array"),
        ("x=np.array([1.0, 2.0]), axis=0", None),
        ("x = np.array([1.0, 2.0])\naxis = 0", None),
        ("x = np.array([[1.0, 2.0],\n              [3.0, 4.0]])\n", None),
        ("softmax([1.0, 2.0], axis=0)", None),
        ("axis=0", "x is missing"),
        ("1.5, 0", "has to be an array"),
        ("None, 0", "here it is of type None"),
        ("np.array([1j]), 0", "dtype complex128"),
        ("np.zeros((1000, 1000)), 0", None),
    ],
)
def test_a_bad_argument_gets_a_sentence(
    service: Service, arguments: str, sentence: str | None
) -> None:
    future = service.runs.run(ANN, SOFTMAX, REFERENCE, arguments=arguments)
    if sentence is None:
        assert future.result(PATIENCE_S)["verdict"] == "accepted"
    else:
        with pytest.raises(BadArguments, match=sentence):
            future.result(PATIENCE_S)


def test_our_fault_in_a_run_is_told_as_ours(world: World, service: Service) -> None:
    world.sandbox.faults = 2
    report = service.runs.run(ANN, SOFTMAX, b"# faults\n" + REFERENCE).result(PATIENCE_S)
    assert report["verdict"] == "grader_error"


def test_cancelling_a_run_takes_it_out_of_the_line(world: World) -> None:
    service = world.service(started=False)
    service.exercises.expectations(SOFTMAX)
    run = service.runs.run(ANN, SOFTMAX, REFERENCE)
    assert service.ready().load.runs == 1
    assert run.cancel()
    assert service.ready().load.runs == 0


def test_a_live_run_takes_the_place_of_the_one_before(world: World) -> None:
    service = world.service(started=False)
    service.exercises.expectations(SOFTMAX)
    first = service.runs.run(ANN, SOFTMAX, WRONG, live=True)
    second = service.runs.run(ANN, SOFTMAX, REFERENCE, live=True)
    other = service.runs.run(LearnerId("ben"), SOFTMAX, WRONG, live=True)
    assert (first.cancelled(), second.cancelled(), other.cancelled()) == (True, False, False)


def test_live_runs_have_a_bucket_of_their_own(world: World) -> None:
    world.allowance = Allowance(live=1, runs=1)
    service = world.service()
    service.runs.run(ANN, SOFTMAX, REFERENCE, live=True)
    with pytest.raises(Refused) as caught:
        service.runs.run(ANN, SOFTMAX, REFERENCE, live=True)
    assert caught.value.kind == "too_many"
    assert service.runs.run(ANN, SOFTMAX, REFERENCE).result(PATIENCE_S)["verdict"] == "accepted"


def test_learners_without_a_row_share_their_addresss_allowance(world: World) -> None:
    world.allowance = Allowance(address_runs=3)
    service = world.service()
    for n in range(3):
        service.runs.run(LearnerId(f"fresh {n}"), SOFTMAX, REFERENCE, address="192.0.2.1")
    with pytest.raises(Refused):
        service.runs.run(LearnerId("fresh 4"), SOFTMAX, REFERENCE, address="192.0.2.1")
