"""Three mistakes at once: computed behind all else, kept, and proved before they are named."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.catalog import load
from app.expectations import Cache
from app.expectations.packing import packed, unpacked
from app.expectations.triples import triples
from app.model import Exercise, Expectations, Lane, Order, Ran, Report, Sets, Slug
from app.ports import Jails, Load, Sandbox, SandboxFault
from app.service.expecting import Expecting
from app.service.judging import judge_submission
from app.service.threes import Threes
from tests.fakes import FakeSandbox
from tests.known import expected

SHARES = Path(__file__).parents[1] / "exercises" / "shares"
LIFTED = '''
def lifted(share, x):
    """Tokens lifted by one

    Each token is lifted by one. Where does the one come from?
    """
    return average(share, x + 1.0)
'''
EVENT_S = 60.0
PROGRAM = """
import numpy as np
def weighted_mean(x, w):
    return np.round({share} @ {rows})
"""


@pytest.fixture(scope="module")
def exercise(tmp_path_factory: pytest.TempPathFactory) -> Exercise:
    folder = tmp_path_factory.mktemp("three") / "shares"
    shutil.copytree(SHARES, folder)
    (folder / "mistakes" / "average.py").write_text(LIFTED, "utf-8")
    return load(folder)


@pytest.fixture(scope="module")
def known(exercise: Exercise) -> Expectations:
    sandbox = FakeSandbox()
    found = expected(exercise, sandbox)
    return replace(found, triples=triples(exercise, found, sandbox, lambda: None))


def judged(
    exercise: Exercise, known: Expectations, source: str, sandbox: Sandbox | None = None
) -> Report:
    box = sandbox or FakeSandbox()
    report = judge_submission(Jails.one(box), exercise, known, source.encode(), lane=Lane.SLOW)
    assert report is not None
    return report


ALL_THREE = PROGRAM.format(share="(w / w.sum()) ** 2", rows="(x + 1.0)")


def test_three_mistakes_are_named_in_the_order_of_the_computation(
    exercise: Exercise, known: Expectations
) -> None:
    report = judged(exercise, known, ALL_THREE)
    assert report.message == "Three things are wrong."
    assert report.diagnosis is not None
    named = [m.misconception for m in report.diagnosis.mistakes]
    assert sorted(named) == ["lifted", "rounded", "squared"]
    assert named[-1] == "rounded"
    assert report.diagnosis.evidence.endswith("No other one, two or three known mistakes do.")


def test_before_they_are_computed_nothing_is_named(exercise: Exercise, known: Expectations) -> None:
    assert judged(exercise, replace(known, triples=None), ALL_THREE).diagnosis is None


class Counting(FakeSandbox):
    """A fake that remembers its orders."""

    def __init__(self) -> None:
        super().__init__()
        self.orders: list[Order] = []

    def run(self, order: Order) -> Ran:
        self.orders.append(order)
        return super().run(order)


@pytest.mark.parametrize(
    ("share", "rows", "orders"),
    [
        ("w / w.sum()", "x + 0.25", 1),  # nothing known
        ("(w / w.sum()) ** 2", "(x + 1.0)", 2),  # all three: one order more to prove it
    ],
)
def test_only_a_hit_is_proved_and_in_one_order(
    exercise: Exercise, known: Expectations, share: str, rows: str, orders: int
) -> None:
    sandbox = Counting()
    judged(exercise, known, PROGRAM.format(share=share, rows=rows), sandbox)
    assert len(sandbox.orders) == orders


def test_what_fits_on_two_tests_only_is_not_named(exercise: Exercise, known: Expectations) -> None:
    """Suspected by the two tests that are kept, refuted by the others."""
    triples = known.triples
    assert triples is not None
    sizes = [np.size(known.tests[at].arguments[1]) for at in triples.tests]  # type: ignore[arg-type]
    other = f"""
def weighted_mean(x, w):
    if len(w) in {sizes}:
        return np.round((w / w.sum()) ** 2 @ (x + 1.0))
    return w @ x + 17.0
"""
    assert judged(exercise, known, "import numpy as np" + other).diagnosis is None


def test_they_are_mapped_from_the_file_beside_the_rest(
    exercise: Exercise, known: Expectations, tmp_path: Path
) -> None:
    cache = Cache(tmp_path)
    cache.save(replace(known, triples=None))
    before = cache.load(exercise.digest)
    assert before is not None
    assert before.triples is None
    assert known.triples is not None
    cache.save_triples(exercise.digest, known.triples)
    after = cache.load(exercise.digest)
    assert after is not None
    assert after.triples is not None
    assert isinstance(after.triples.key.base, np.memmap)
    assert after.triples.tests == known.triples.tests
    assert after.triples.members.tolist() == known.triples.members.tolist()
    assert judged(exercise, after, ALL_THREE).message == "Three things are wrong."
    (tmp_path / f"{exercise.digest}.triples.npy").write_bytes(b"cut short")
    damaged = cache.load(exercise.digest)
    assert damaged is not None
    assert damaged.triples is None


def test_those_of_other_software_are_not_taken(known: Expectations) -> None:
    assert known.triples is not None
    table = packed(known.triples, "NumPy 1")
    assert unpacked(table, "NumPy 2") is None
    again = unpacked(table, "NumPy 1")
    assert again is not None
    assert np.array_equal(again.total, known.triples.total)


class BusyLine:
    """A line that says it is busy until it is told otherwise."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.busy = True

    def load(self) -> Load:
        self.asked.set()
        return Load(0, 0, int(self.busy), 10)


Begun = Callable[[BusyLine], tuple[Expecting, Threes, threading.Event]]


@pytest.fixture
def begun(exercise: Exercise, known: Expectations) -> Iterator[Begun]:
    ended: list[Callable[[], None]] = []

    def begin(line: BusyLine) -> tuple[Expecting, Threes, threading.Event]:
        done = threading.Event()

        def compute(_: Exercise, __: Expectations, pause: Callable[[], None]) -> Sets:
            pause()
            done.set()
            assert known.triples is not None
            return known.triples

        expecting = Expecting(lambda _: replace(known, triples=None))
        threes = Threes(expecting, line, compute)
        ended.extend((threes.close, expecting.close))
        threes.start()
        expecting.get(exercise).result()
        return expecting, threes, done

    yield begin
    for end in ended:
        end()


def test_they_wait_for_as_long_as_anything_is_in_line(begun: Begun, exercise: Exercise) -> None:
    line = BusyLine()
    expecting, threes, done = begun(line)
    assert line.asked.wait(EVENT_S)
    assert not done.is_set()
    found = expecting.known(exercise)
    assert found is not None
    assert found.triples is None
    line.busy = False
    assert done.wait(EVENT_S)
    threes.close()
    threes.join()
    found = expecting.known(exercise)
    assert found is not None
    assert found.triples is not None


def test_a_closing_server_does_not_wait_for_them(begun: Begun) -> None:
    line = BusyLine()
    _, threes, done = begun(line)
    assert line.asked.wait(EVENT_S)
    threes.close()
    threes.join()
    assert not done.is_set()


def test_what_breaks_on_one_exercise_keeps_no_other_from_its_own(
    exercise: Exercise, known: Expectations
) -> None:
    line, other = BusyLine(), replace(exercise, slug=Slug("other"))
    line.busy = False

    def compute(one: Exercise, _: Expectations, __: Callable[[], None]) -> Sets:
        assert known.triples is not None
        if one.slug == exercise.slug:
            raise ValueError("a fault of ours")
        return known.triples

    expecting = Expecting(lambda _: replace(known, triples=None))
    threes = Threes(expecting, line, compute)
    threes.start()
    for one in (exercise, other):
        expecting.get(one).result()
    until = time.monotonic() + EVENT_S
    found = expecting.known(other)
    while (found is None or found.triples is None) and time.monotonic() < until:
        time.sleep(0.01)
        found = expecting.known(other)
    threes.close()
    threes.join()
    expecting.close()
    assert found is not None
    assert found.triples is not None


class Failing(Counting):
    """A jail that fails from its second order on."""

    def run(self, order: Order) -> Ran:
        ran = super().run(order)
        if len(self.orders) > 1:
            raise SandboxFault("no CPU")
        return ran


def test_a_jail_that_fails_while_they_are_proved_costs_no_verdict(
    exercise: Exercise, known: Expectations
) -> None:
    sandbox = Failing()
    report = judged(exercise, known, ALL_THREE, sandbox)
    assert len(sandbox.orders) == 2
    assert report.verdict == "wrong_answer"
    assert report.diagnosis is None
