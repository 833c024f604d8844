"""What is accepted is looked at again: the verdict stands, the hole is found and kept."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.config import Settings
from app.main import build, shipped_exercises
from app.model import Lane, LearnerId, Slug, SubmissionId
from app.records import SecondLook
from app.service import Service
from tests.service.world import PATIENCE_S

SDPA = Slug("planted-attention")
RIGHT = b"""\
import numpy as np

def scaled_dot_product_attention(Q, K, V):
    s = Q @ K.T / np.sqrt(K.shape[1])
    w = np.exp(s - s.max(-1, keepdims=True))
    return w / w.sum(-1, keepdims=True) @ V
"""
AS_MANY_AS_KEYS = b"""\
import numpy as np

def scaled_dot_product_attention(Q, K, V):
    out = np.zeros((len(Q), V.shape[1]))
    for i, (q, _) in enumerate(zip(Q, K)):
        s = K @ q / np.sqrt(len(q))
        w = np.exp(s - s.max())
        out[i] = w @ V / w.sum()
    return out
"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A server whose exercise has a planted hole: no test has more queries than keys."""
    folder = tmp_path_factory.mktemp("exercises")
    shutil.copytree(shipped_exercises() / "scaled-dot-product-attention", folder / SDPA)
    cases = folder / SDPA / "cases.py"
    text = cases.read_text()
    planted = text.replace("_normal(202, 6, 3, 4, 5)", "_normal(202, 3, 5, 4, 6)").replace(
        "Q = np.stack([offset, x, *pick], axis=1)", "Q = np.stack([offset, x, *pick], axis=1)[:6]"
    )
    assert planted.count("[:6]") == 1
    cases.write_text(planted)
    data = tmp_path_factory.mktemp("data")
    made = build(Settings(data=data, exercises=(folder,))).service
    made.start()
    yield made
    made.close()


def look_at(service: Service, source: bytes) -> tuple[SubmissionId, SecondLook]:
    submission = service.submissions.submit(LearnerId("ann"), SDPA, source)
    report = service.submissions.verdict(submission.id).result(PATIENCE_S)
    assert report["verdict"] == "accepted"
    until = time.monotonic() + PATIENCE_S
    while (seen := service.second_looks.get(submission)) is None:
        assert time.monotonic() < until
        time.sleep(0.02)
    return submission.id, seen


def test_a_right_program_is_right_on_random_inputs_too(service: Service) -> None:
    _, seen = look_at(service, RIGHT)
    assert (seen.draw, seen.test) == (None, None)


def test_a_hole_is_found_and_the_verdict_stands(service: Service) -> None:
    submission, seen = look_at(service, AS_MANY_AS_KEYS)
    assert seen.draw is not None
    assert seen.test is not None
    assert seen.test["verdict"] == "wrong_answer"
    assert seen.test["got"] != seen.test["expected"]
    stored = service.submissions.get(submission, LearnerId("ann"))
    assert stored.report is not None
    assert stored.report["verdict"] == "accepted"
    holes = service._parts.store.looks.holes()
    assert [(hole.exercise, hole.draw, hole.submissions) for hole in holes] == [
        (SDPA, seen.draw, 1)
    ]
    assert holes[0].source == AS_MANY_AS_KEYS


def test_a_slow_program_gets_as_many_inputs_as_fit_into_a_tenth(service: Service) -> None:
    from app.service.second_looks import look_again

    slow = RIGHT.replace(b"    s = Q", b"    sum(range(3_000_000))\n    s = Q")
    exercise = service.exercises.get(SDPA)
    expectations = service.exercises.expected(exercise).result(PATIENCE_S)
    sandbox = service._parts.sandbox
    assert look_again(sandbox, exercise, expectations, slow, Lane.FAST) is None
    seen = look_again(sandbox, exercise, expectations, slow, Lane.SLOW)
    assert seen is not None
    assert seen.draw is None


def test_prints_are_dropped_and_changed_arguments_are_told_as_such(service: Service) -> None:
    from app.service.second_looks import look_again

    spoils = RIGHT.replace(
        b"    return",
        b"    print('said aloud', len(Q))\n    if len(Q) > len(K):\n        Q[:] = 0.0\n    return",
    )
    exercise = service.exercises.get(SDPA)
    expectations = service.exercises.expected(exercise).result(PATIENCE_S)
    seen = look_again(service._parts.sandbox, exercise, expectations, spoils, Lane.SLOW)
    assert seen is not None
    assert seen.test is not None
    assert seen.test["verdict"] == "wrong_answer"
    assert "Q" in str(seen.test["message"]) and "chang" in str(seen.test["message"])
    assert "said aloud" not in str(seen.test)


def test_a_program_that_loops_when_it_is_asked_alone_holds_no_fast_place(service: Service) -> None:
    """It is wrong on a later input, and loops where that input comes first."""
    from app.service.second_looks import look_again

    sly = b"calls = []\n" + AS_MANY_AS_KEYS.replace(
        b"    out =",
        b"    calls.append(1)\n"
        b"    while len(calls) == 1 and len(Q) > len(K):\n        pass\n    out =",
    )
    exercise = service.exercises.get(SDPA)
    expectations = service.exercises.expected(exercise).result(PATIENCE_S)
    sandbox = service._parts.sandbox
    assert look_again(sandbox, exercise, expectations, sly, Lane.FAST) is None


def test_a_small_input_is_found_where_it_goes_wrong(service: Service) -> None:
    """The counterexample of a program that all six tests accept."""
    run = service.runs.run(LearnerId("ben"), SDPA, AS_MANY_AS_KEYS, smallest=True)
    report = run.result(PATIENCE_S)
    tests = report["tests"]
    assert isinstance(tests, list)
    assert [(one["verdict"], one["visible"]) for one in tests] == [("wrong_answer", True)]
    assert tests[0]["name"].startswith("draw_")


def test_the_commands_list_the_hole_and_prove_it_open(
    service: Service, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.cli import app

    look_at(service, AS_MANY_AS_KEYS)
    data = service._parts.data
    folder = Path(service.exercises.get(SDPA).folder).parent
    service.close()  # what still runs in its threads redirects what is printed
    monkeypatch.setenv("MLGRIND_DATA", str(data))
    monkeypatch.setenv("MLGRIND_EXERCISES", str(folder))
    app(["holes"], standalone_mode=False)
    told = capsys.readouterr().out
    assert re.search(r"^planted-attention: draw \d+, \d+ submissions? off on it", told)
    assert "for i, (q, _) in enumerate(zip(Q, K)):" in told
    with pytest.raises(SystemExit) as ended:
        app(["check", "--from-holes", SDPA], standalone_mode=False)
    assert ended.value.code == 1
    assert "accepts wrong code that a learner submitted. Close the hole" in capsys.readouterr().out
