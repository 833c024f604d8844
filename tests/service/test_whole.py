"""All real parts together: database, line, jail and grader, as `main.build` joins them."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from app import metrics
from app.config import Settings
from app.main import build, load_secret
from app.model import LearnerId, SubmissionId
from app.sandbox.pool import LocalSandbox
from app.service import Service
from tests.service.world import PATIENCE_S, REFERENCE, SOFTMAX, WRONG, World

LOOP = b"import numpy as np\n\ndef softmax(x, axis=-1):\n    while True:\n        pass\n"
BRIEF = b"while True:\n    pass\n"
"""Ended by one time limit where `LOOP` takes two: a call each."""

HOSTILE = {
    "loop": (LOOP, "time_limit"),
    "memory": (b"big = []\nwhile True:\n    big.append('x' * 10**7)\n", "memory_limit"),
    "output": (b"while True:\n    print('x' * 1000)\n", "output_limit"),
    "NUL": (b"\x00", "syntax_error"),
    "not UTF-8": (b"\xff", "syntax_error"),
    "escape": (b"import os\nos.kill(1, 9)\n", "policy_error"),
    "honest": (REFERENCE, "accepted"),
}
BUSY = b"total = 0\nfor n in range(%d):\n    total += n\n" + REFERENCE

DIES_BEFORE_GRADING = """
import json, signal, sys
from app.config import Settings
from app.main import build
from app.model import LearnerId

service = build(Settings()).service  # stores, but its line is not started
sources = [bytes.fromhex(text) for text in json.load(sys.stdin)]
for n, source in enumerate(sources):
    print(service.submissions.submit(LearnerId(f"learner {n}"), "stable-softmax", source).id)
print("stored", flush=True)
signal.pause()
"""


@pytest.fixture
def service() -> Iterator[Service]:
    made = build(Settings()).service
    made.start()
    yield made
    made.close()


def test_a_crash_between_store_and_grade_loses_nothing(tmp_path: Path) -> None:
    """The process is killed with seven submissions in line; the next start judges them all."""
    script = tmp_path / "dies.py"
    script.write_text(DIES_BEFORE_GRADING)
    with subprocess.Popen(
        [sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        json.dump([source.hex() for source, _ in HOSTILE.values()], process.stdin)
        process.stdin.close()
        stored = [SubmissionId(process.stdout.readline().strip()) for _ in HOSTILE]
        assert process.stdout.readline() == "stored\n"
        process.send_signal(signal.SIGKILL)
    service = build(Settings()).service
    service.start()
    try:
        verdicts = [
            service.submissions.verdict(each).result(PATIENCE_S)["verdict"] for each in stored
        ]
    finally:
        service.close()
    assert verdicts == [verdict for _, verdict in HOSTILE.values()]


def test_a_one_second_program_beside_eight_loopers_is_accepted(service: Service) -> None:
    """Eight learners, none of whom has to do with another, were there first."""
    for n in range(8):
        service.submissions.submit(LearnerId(f"loop {n}"), SOFTMAX, BRIEF, address=f"192.0.2.{n}")
    busy = service.submissions.submit(
        LearnerId("busy"), SOFTMAX, BUSY % 4_000_000, address="192.0.2.99"
    )
    report = service.submissions.verdict(busy.id).result(PATIENCE_S)
    assert report["verdict"] == "accepted", report["message"]
    assert float(str(report["cpu_ms"])) > 100, "it was to be slow"


def test_a_submission_that_never_gets_a_cpu_is_our_fault(tmp_path: Path) -> None:
    """Starved, tried again alone, starved again: a report that says so, with an id."""
    world = World(tmp_path)
    world.sandbox = LocalSandbox(patience=0.0)  # type: ignore[assignment]
    retried = metrics.RETRIED._value.get()
    service = world.service()
    try:
        with capture_logs() as logs:
            busy = service.submissions.submit(LearnerId("busy"), SOFTMAX, BUSY % 4_000_000)
            report = service.submissions.verdict(busy.id).result(PATIENCE_S)
    finally:
        service.close()
    assert report["verdict"] == "grader_error"
    assert metrics.RETRIED._value.get() == retried + 1
    (event,) = (event for event in logs if event["event"] == "grader_error")
    assert event["error_id"] == report["error_id"]
    assert "no CPU" in event["reason"]


def test_sixty_loops_leave_an_honest_submission_fast(service: Service) -> None:
    """Fast is told by order, not by a clock: most loops still wait when the honest one is done."""
    service.exercises.expectations(SOFTMAX)
    loops = [service.submissions.submit(LearnerId(f"loop {n}"), SOFTMAX, LOOP) for n in range(60)]
    honest = service.submissions.submit(LearnerId("honest"), SOFTMAX, REFERENCE)
    report = service.submissions.verdict(honest.id).result(PATIENCE_S)
    assert report["verdict"] == "accepted"
    assert sum(service.submissions.verdict(loop.id).done() for loop in loops) < 30
    again = service.submissions.submit(LearnerId("honest"), SOFTMAX, WRONG)
    assert service.submissions.verdict(again.id).result(PATIENCE_S)["verdict"] == "wrong_answer"
    assert sum(service.submissions.verdict(loop.id).done() for loop in loops) < 30


def test_one_secret_for_ever_and_for_the_host_alone(data_directory: Path) -> None:
    secret = load_secret(data_directory)
    assert len(secret) == 32
    assert load_secret(data_directory) == secret
    assert (data_directory / "secret").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in data_directory.iterdir()] == ["secret"]


def test_a_secret_cut_short_is_refused(data_directory: Path) -> None:
    load_secret(data_directory)
    (data_directory / "secret").write_bytes(b"short")
    with pytest.raises(ValueError, match="too short"):
        load_secret(data_directory)
