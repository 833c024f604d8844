"""The line with its threads. Work waits on events, never on a clock."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from functools import partial

import pytest

from app.jobs.embedded import EmbeddedLine
from app.jobs.lanes import MOST_LOOKS
from app.model import Lane
from app.ports import Job, Kind, LineFull, SandboxFault
from app.records import Json

PATIENCE_S = 300


@pytest.fixture
def line() -> Iterator[EmbeddedLine]:
    made = EmbeddedLine(capacity=5)
    yield made
    made.close(PATIENCE_S)


def job(
    key: str,
    work: Callable[[Lane], Json | None],
    turn: str | None = None,
    kind: Kind = Kind.SUBMISSION,
) -> Job[Json]:
    return Job(key, turn or key, kind, work)


def done(value: str) -> Callable[[Lane], Json | None]:
    return lambda lane: {"value": value, "lane": lane.value}


def slow(value: str) -> Callable[[Lane], Json | None]:
    """Work that leaves the fast lane and is done in any other."""
    return lambda lane: None if lane is Lane.FAST else {"value": value, "lane": lane.value}


class Gate:
    """Work that says it has begun, and ends when it is let."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.let = threading.Event()

    def __call__(self, lane: Lane) -> Json | None:
        self.begun.set()
        assert self.let.wait(PATIENCE_S)
        return {"lane": lane.value}


def result(future: Future[Json]) -> Json:
    return future.result(PATIENCE_S)


def test_a_quick_job_is_done_in_the_fast_lane(line: EmbeddedLine) -> None:
    line.start()
    assert result(line.put(job("a", done("A")))) == {"value": "A", "lane": "fast"}


def test_a_job_that_leaves_the_fast_lane_is_done_in_the_slow_line(line: EmbeddedLine) -> None:
    line.start()
    assert result(line.put(job("a", slow("A")))) == {"value": "A", "lane": "slow"}


def test_sixty_loops_leave_an_honest_submission_fast(line: EmbeddedLine) -> None:
    """All slow workers are held and the slow line is long; the honest one ends before any."""
    gates = [Gate() for _ in range(60)]

    def loop(gate: Gate) -> Callable[[Lane], Json | None]:
        return lambda lane: None if lane is Lane.FAST else gate(lane)

    line.start()
    loops = [line.put(job(f"loop {n}", loop(gate)), bounded=False) for n, gate in enumerate(gates)]
    honest = line.put(job("honest", done("fine")), bounded=False)
    assert result(honest)["lane"] == "fast"
    assert not any(future.done() for future in loops)
    for gate in gates:
        gate.let.set()
    assert all(result(future)["lane"] == "slow" for future in loops)


def test_two_slow_ones_run_at_once_and_never_more(line: EmbeddedLine) -> None:
    """Each waits for another to run beside it; a third beside them would be counted."""
    beside = threading.Barrier(2)
    running: set[int] = set()
    most: list[int] = []

    def work(n: int, lane: Lane) -> Json | None:
        if lane is Lane.FAST:
            return None
        running.add(n)
        beside.wait(PATIENCE_S)
        most.append(len(running))
        beside.wait(PATIENCE_S)
        running.discard(n)
        beside.wait(PATIENCE_S)
        return {}

    line.start()
    futures = [line.put(job(str(n), partial(work, n)), bounded=False) for n in range(10)]
    for future in futures:
        result(future)
    assert most == [2] * 10


def test_a_fault_of_ours_is_tried_once_more(line: EmbeddedLine) -> None:
    lanes: list[Lane] = []

    def work(lane: Lane) -> Json | None:
        lanes.append(lane)
        if len(lanes) == 1:
            raise SandboxFault("the keeper is gone")
        return {"ok": True}

    line.start()
    assert result(line.put(job("a", work))) == {"ok": True}
    assert lanes == [Lane.FAST, Lane.AUTHOR]


def test_a_second_fault_is_told(line: EmbeddedLine) -> None:
    calls: list[Lane] = []

    def work(lane: Lane) -> Json | None:
        calls.append(lane)
        raise SandboxFault("gone again")

    line.start()
    with pytest.raises(SandboxFault, match="gone again"):
        result(line.put(job("a", work)))
    assert len(calls) == 2


def test_a_broken_job_does_not_break_the_line(line: EmbeddedLine) -> None:
    def broken(_lane: Lane) -> Json | None:
        raise RuntimeError("a bug")

    line.start()
    for n in range(4):
        with pytest.raises(RuntimeError, match="a bug"):
            result(line.put(job(f"broken {n}", broken)))
    assert result(line.put(job("a", done("A"))))["value"] == "A"


def test_cancelling_takes_a_job_out_of_the_line(line: EmbeddedLine) -> None:
    gate = Gate()
    future = line.put(job("a", gate))
    assert line.place("a") == 1
    assert future.cancel()
    assert line.place("a") is None
    line.start()
    assert result(line.put(job("b", done("B"))))["value"] == "B"
    assert not gate.begun.is_set()


def test_cancelling_a_running_job_frees_its_worker_when_it_ends(line: EmbeddedLine) -> None:
    gate = Gate()
    line.start()
    future = line.put(job("a", gate))
    assert gate.begun.wait(PATIENCE_S)
    assert future.cancel()
    gate.let.set()
    assert result(line.put(job("b", done("B"))))["value"] == "B"


def test_a_full_line_refuses(line: EmbeddedLine) -> None:
    for n in range(5):
        line.put(job(str(n), done("")))
    with pytest.raises(LineFull):
        line.put(job("one more", done("")))
    assert line.load().submissions == 5


def test_what_was_accepted_before_is_never_refused(line: EmbeddedLine) -> None:
    futures = [line.put(job(str(n), done("")), bounded=False) for n in range(9)]
    line.start()
    assert len([result(future) for future in futures]) == 9


def test_a_live_run_gives_way_to_a_submission(line: EmbeddedLine) -> None:
    live = line.put(job("live", done(""), kind=Kind.LIVE))
    run = line.put(job("run", done(""), kind=Kind.RUN))
    for n in range(4):
        line.put(job(str(n), done("")))
    with pytest.raises(LineFull):
        result(live)
    assert not run.done()


def test_the_place_in_line_counts_down(line: EmbeddedLine) -> None:
    gates = [Gate(), Gate()]
    line.start()
    running = [line.put(job(f"running {n}", gate)) for n, gate in enumerate(gates)]
    assert all(gate.begun.wait(PATIENCE_S) for gate in gates)
    first, second = line.put(job("first", done("1"))), line.put(job("second", done("2")))
    assert (line.place("first"), line.place("second")) == (1, 2)
    assert line.place("running 0") is None
    for gate in gates:
        gate.let.set()
    for future in (*running, first, second):
        result(future)
    assert line.place("second") is None


def test_closing_ends_what_runs_and_cancels_what_waits() -> None:
    line = EmbeddedLine(fast=1, slow=1)
    gate = Gate()
    line.start()
    running = line.put(job("running", gate))
    assert gate.begun.wait(PATIENCE_S)
    waiting = line.put(job("waiting", done("")))
    closer = threading.Thread(target=line.close, args=(PATIENCE_S,))
    closer.start()
    with pytest.raises(CancelledError):
        result(waiting)
    gate.let.set()
    closer.join()
    assert result(running) == {"lane": "fast"}
    with pytest.raises(LineFull):
        line.put(job("late", done("")))


def test_a_sandbox_that_ends_with_its_server_is_no_fault() -> None:
    """Also for a job that was tried once more already: it is left for the next start."""
    line = EmbeddedLine(fast=1, slow=1)
    begun, closed = threading.Event(), threading.Event()

    def work(lane: Lane) -> Json | None:
        if lane is Lane.AUTHOR:
            begun.set()
            assert closed.wait(PATIENCE_S)
        raise SandboxFault("the sandbox is closed")

    line.start()
    future = line.put(job("a", work))
    assert begun.wait(PATIENCE_S)
    line.close()
    closed.set()
    with pytest.raises(CancelledError):
        result(future)


def test_a_quick_job_wakes_no_slow_worker(line: EmbeddedLine) -> None:
    """Each worker that wakes in vain holds up the answer to the job just done."""
    looked: list[str] = []
    workers = sum(thread.name.startswith("slow") for thread in line._threads)
    take = line._take_begun

    def counted() -> object:
        looked.append("once")
        return take()

    # A method of one object, to see who asks: mypy knows methods of classes only.
    line._take_begun = counted  # type: ignore[method-assign, assignment]
    line.start()
    assert result(line.put(job("s", slow("s"))))["lane"] == Lane.SLOW.value
    for n in range(20):
        result(line.put(job(f"q{n}", done("q"))))
    # Each looks as it starts, whenever that is; one is woken for the job and looks again behind it.
    assert len(looked) <= workers + 2


def test_both_slow_workers_go_on_behind_a_lone_job(line: EmbeddedLine) -> None:
    """Two that need each other's company, put while a third has to be alone."""
    faults = iter([SandboxFault("once")])
    gate, beside, left = Gate(), threading.Barrier(2), threading.Semaphore(0)

    def lone(lane: Lane) -> Json | None:
        for fault in faults:
            raise fault
        return gate(lane)

    def social(lane: Lane) -> Json | None:
        if lane is Lane.FAST:
            left.release()
            return None
        beside.wait(PATIENCE_S)
        return {}

    line.start()
    first = line.put(job("lone", lone))
    assert gate.begun.wait(PATIENCE_S)
    others = [line.put(job(f"social {n}", social)) for n in range(2)]
    assert all(left.acquire(timeout=PATIENCE_S) for _ in others)
    while line.load().running > 1 or line.load().submissions < 2:
        threading.Event().wait(0.01)  # until both wait in the slow line
    gate.let.set()
    assert result(first)["lane"] == Lane.AUTHOR.value
    assert [result(other) for other in others] == [{}, {}]


def test_cancelling_a_lone_job_lets_the_others_go_on(line: EmbeddedLine) -> None:
    """A slow worker stood back for it beside one that runs on."""
    gate, lone_faults = Gate(), iter([SandboxFault("once")])
    failed, left = threading.Event(), threading.Event()

    def busy(lane: Lane) -> Json | None:
        return None if lane is Lane.FAST else gate(lane)

    def lone(lane: Lane) -> Json | None:
        for fault in lone_faults:
            failed.set()
            raise fault
        return {}

    def behind(lane: Lane) -> Json | None:
        left.set()
        return slow("other")(lane)

    line.start()
    running = line.put(job("busy", busy))
    assert gate.begun.wait(PATIENCE_S)
    alone = line.put(job("alone", lone))
    assert failed.wait(PATIENCE_S)
    while line.place("alone") is None:
        threading.Event().wait(0.01)  # until it waits to be alone
    other = line.put(job("other", behind))
    assert left.wait(PATIENCE_S)
    while line.load().submissions < 2:
        threading.Event().wait(0.01)  # until it waits behind
    alone.cancel()
    assert result(other)["value"] == "other"
    gate.let.set()
    result(running)


def test_no_turn_holds_more_than_a_tenth_of_the_line() -> None:
    line = EmbeddedLine(capacity=30)
    for n in range(3):
        line.put(job(f"run {n}", done(""), turn="one client", kind=Kind.RUN))
    with pytest.raises(LineFull):
        line.put(job("one more", done(""), turn="one client", kind=Kind.RUN))
    line.put(job("another's", done(""), turn="another", kind=Kind.RUN))
    line.close()


def test_a_thousand_open_runs_of_one_turn_leave_a_fast_worker_to_others() -> None:
    line = EmbeddedLine(capacity=10_000)
    line.start()
    gate = Gate()
    runs = [line.put(job(f"run {n}", gate, "guests", Kind.RUN)) for n in range(999)]
    assert gate.begun.wait(PATIENCE_S)
    try:
        assert result(line.put(job("ann", done("ok")))) == {"value": "ok", "lane": "fast"}
        assert not any(run.done() for run in runs)
    finally:
        gate.let.set()
    assert result(runs[-1]) == {"lane": "fast"}
    line.close(PATIENCE_S)


def test_a_second_look_begins_by_itself_once_it_is_quiet(line: EmbeddedLine) -> None:
    line.start()
    submission = line.put(job("ann", done("submission")))
    look = line.put(job("look", done("look"), "ann", Kind.SECOND_LOOK))
    assert result(submission)["value"] == "submission"
    assert result(look) == {"value": "look", "lane": "fast"}


def test_second_looks_wait_up_to_a_number_and_push_nothing_out() -> None:
    line = EmbeddedLine(capacity=1_000)
    for n in range(MOST_LOOKS):
        line.put(job(f"look {n}", done("look"), kind=Kind.SECOND_LOOK))
    with pytest.raises(LineFull):
        line.put(job("one more", done("look"), kind=Kind.SECOND_LOOK))
    submission = line.put(job("ann", done("submission")))
    line.start()
    assert result(submission)["value"] == "submission"
    line.close(PATIENCE_S)
