"""Follow-up questions: formulas compared in the jail, own words kept before the answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.model import LearnerId, Slug
from app.service import NoSuchQuestion, Refused, Service
from app.service.follow_ups import python_formula
from tests.service.world import EXERCISES, PATIENCE_S, REFERENCE, SOFTMAX, World

ANN = LearnerId("ann")
QUESTIONS = """
[[follow_up]]
kind = "formula"
question = "How many parameters?"
answer = "4 * d_model**2 + n / 2"
variables = ["d_model", "n"]
explanation = "Four square matrices."

[[follow_up]]
kind = "text"
question = "Why does reshape fail?"
answer = "It never moves data."
"""


@pytest.fixture
def asked(world: World, tmp_path: Path) -> Service:
    """An exercise with one question of each kind."""
    folder = tmp_path / "exercises" / SOFTMAX
    for path in (EXERCISES / SOFTMAX).rglob("*"):
        if path.is_file():
            copy = folder / path.relative_to(EXERCISES / SOFTMAX)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    toml = (folder / "exercise.toml").read_text()
    head = toml.split("[[follow_up]]")[0]
    (folder / "exercise.toml").write_text(head + QUESTIONS)
    world.folders = (folder.parent,)
    return world.service()


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("4 * d_model**2 + n / 2", "right"),
        ("4·d_model^2 + n÷2", "right"),
        ("(2 × d_model)² + 0.5 * n", "right"),
        ("n / 2 − (−4) * d_model * d_model", "right"),
        ("4 * d_model**2", "off"),
        ("3 * d_model**2 + n / 2", "off"),
        ("10.0 ** 400", "unreadable"),
        ("4 d_model", "off"),
        ("4 d_model² + n/2", "right"),
        ("(d_model + d_model)(2d_model) + n / 2", "right"),
        ("n(d_model)", "off"),
        ("four times d_model", "unreadable"),
        ("heads * 4", "unreadable"),
        ("'text'", "unreadable"),
        ("d_model > 3", "unreadable"),
        ("1 / (d_model - d_model)", "unreadable"),
        ("", "unreadable"),
        (") + (", "unreadable"),
        ("\ud800", "unreadable"),
        ("9" * 5000, "unreadable"),
    ],
)
def test_a_formula_is_compared_by_its_values(asked: Service, text: str, outcome: str) -> None:
    result = asked.follow_ups.answer(ANN, SOFTMAX, 1, text).result(PATIENCE_S)
    assert result.outcome == outcome
    assert bool(result.answer) == (outcome == "right")


def test_the_two_formulas_never_share_a_child(world: World, asked: Service) -> None:
    asked.follow_ups.answer(ANN, SOFTMAX, 1, "n").result(PATIENCE_S)
    theirs, ours = world.sandbox.orders[-2:]
    assert b"4 * d_model" not in theirs.sources[0].text
    assert len(theirs.calls) == len(ours.calls) == 8
    assert theirs.calls == ours.calls
    assert len({call.arguments for call in theirs.calls}) > 1


def test_own_words_are_kept_and_then_the_answer_shown(asked: Service) -> None:
    result = asked.follow_ups.answer(ANN, SOFTMAX, 2, "Because of ü \x00").result(PATIENCE_S)
    assert (result.outcome, result.answer) == ("kept", "It never moves data.")
    (kept,) = asked.follow_ups.answers(ANN, SOFTMAX)
    assert (kept.number, kept.text) == (2, "Because of ü \x00")


def test_without_words_there_is_no_answer(asked: Service) -> None:
    result = asked.follow_ups.answer(ANN, SOFTMAX, 2, " \n").result(PATIENCE_S)
    assert (result.outcome, result.answer) == ("unreadable", "")
    assert asked.follow_ups.answers(ANN, SOFTMAX) == ()


@pytest.mark.parametrize("number", [0, 3, -1])
def test_there_is_no_such_question(asked: Service, number: int) -> None:
    with pytest.raises(NoSuchQuestion):
        asked.follow_ups.answer(ANN, SOFTMAX, number, "1")
    with pytest.raises(LookupError):
        asked.follow_ups.answer(ANN, Slug("nothing"), 1, "1")


def test_a_full_line_refuses_a_formula(world: World, asked: Service) -> None:
    world.capacity = 1
    service = world.service(started=False)
    service.exercises.expectations(SOFTMAX)
    service.runs.run(ANN, SOFTMAX, REFERENCE)  # takes the one place
    with pytest.raises(Refused) as refused:
        service.follow_ups.answer(ANN, SOFTMAX, 1, "n").result(PATIENCE_S)
    assert refused.value.kind == "line_full"
    assert refused.value.retry_after >= 1
    assert service.follow_ups.answers(ANN, SOFTMAX) == ()


def test_who_hangs_up_leaves_the_line_and_nothing_is_kept(world: World, asked: Service) -> None:
    service = world.service(started=False)
    formula = service.follow_ups.answer(ANN, SOFTMAX, 1, "n")
    assert service.ready().load.runs == 1
    formula.cancel()
    assert service.ready().load.runs == 0
    service.start()
    service.runs.run(ANN, SOFTMAX, REFERENCE).result(PATIENCE_S)
    assert service.follow_ups.answers(ANN, SOFTMAX) == ()


def test_signs_people_write_become_pythons() -> None:
    assert python_formula("4·d_model² × n^3 − 1") == "4*d_model**2 * n**3 - 1"
