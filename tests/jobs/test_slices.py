"""The slow line's rules: what has used the least goes first, and started ones fit in memory."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.jobs.slices import HALF_LIFE_S, LIGHT_S, SLICE_S, Slices, Used
from app.jobs.turns import Waiting
from app.ports import Kind


def job(turn: str, name: str = "", kind: Kind = Kind.SUBMISSION) -> Waiting[str]:
    return Waiting(turn, kind, name or turn)


def steps(slices: Slices[str], now: float = 0.0) -> list[tuple[str, str]]:
    """All there is to do, and what it is done to."""
    found: list[tuple[str, str]] = []
    while (step := slices.step(now)) is not None:
        found.append((step[0], step[1].item))
    return found


def run_whole(slices: Slices[str]) -> list[str]:
    """Start one after the other, each done at once; in which order."""
    order = []
    while (step := slices.step(0.0)) is not None:
        order.append(step[1].item)
        slices.done(step[1])
    return order


def test_two_run_at_once() -> None:
    slices: Slices[str] = Slices(at_once=2, places=4)
    for name in "abc":
        slices.put(job(name))
    assert len(steps(slices)) == 2
    assert steps(slices) == []


def test_an_owner_has_one_started_job() -> None:
    slices: Slices[str] = Slices(at_once=2, places=4)
    for name in ("a1", "a2", "b1"):
        slices.put(job(name[0], name))
    assert sorted(steps(slices)) == [("start", "a1"), ("start", "b1")]
    slices.done(job("b", "b1"))
    assert steps(slices) == []
    slices.done(job("a", "a1"))
    assert steps(slices) == [("start", "a2")]


def test_an_owners_submission_goes_before_their_runs() -> None:
    slices: Slices[str] = Slices(at_once=1, places=2)
    slices.put(job("ann", "live", Kind.LIVE))
    slices.put(job("ann", "run", Kind.RUN))
    slices.put(job("ann", "submission"))
    assert run_whole(slices) == ["submission", "run", "live"]


def test_of_those_that_have_not_run_newest_and_oldest_take_turns() -> None:
    slices: Slices[str] = Slices(at_once=1, places=2)
    for name in "abcdef":
        slices.put(job(name))
    assert run_whole(slices) == ["f", "a", "e", "b", "d", "c"]


def test_a_slice_ends_only_where_another_waits() -> None:
    slices: Slices[str] = Slices(at_once=1, places=3)
    slices.put(job("a"))
    steps(slices)
    assert slices.spent(job("a"), SLICE_S, 0.0)
    slices.put(job("b"))
    assert not slices.spent(job("a"), 0.01, 0.0), "it is in its second slice, and b is new"
    assert steps(slices) == [("start", "b")]


def test_the_first_slice_is_given_whole() -> None:
    slices: Slices[str] = Slices(at_once=1, places=3)
    slices.put(job("a"))
    steps(slices)
    slices.put(job("b"))
    assert slices.spent(job("a"), SLICE_S - 0.01, 0.0)
    assert not slices.spent(job("a"), 0.02, 0.0)
    assert steps(slices) == [("start", "b")]
    slices.done(job("b"))
    assert steps(slices) == [("go on", "a")]


def test_who_used_little_of_late_goes_before_who_used_much() -> None:
    slices: Slices[str] = Slices(at_once=1, places=3)
    slices.put(job("looper", "first"))
    steps(slices)
    slices.spent(job("looper", "first"), LIGHT_S + 0.1, 0.0)
    slices.done(job("looper", "first"))
    slices.put(job("ann"))
    slices.put(job("looper", "second"))
    slices.put(job("looper", "third"))
    assert run_whole(slices) == ["ann", "second", "third"]


def test_what_was_used_is_forgotten_by_and_by() -> None:
    used = Used()
    used.add("ann", 8.0, 0.0)
    assert used.of("ann", HALF_LIFE_S) == pytest.approx(4.0)
    assert [used.level("ann", n * HALF_LIFE_S) for n in range(4)] == [2, 1, 0, 0]
    assert used.level("nobody", 0.0) == 0


@dataclass
class Machine:
    """Two CPUs that work off the slow line; `clock` is in seconds of CPU each has given."""

    slices: Slices[str]
    needs: dict[str, float]
    clock: float = 0.0
    used: dict[str, float] = field(default_factory=dict)
    running: dict[str, Waiting[str]] = field(default_factory=dict)
    done: dict[str, float] = field(default_factory=dict)
    ended: list[str] = field(default_factory=list)
    most_started: int = 0
    started: set[str] = field(default_factory=set)

    def put(self, turn: str, name: str) -> None:
        self.slices.put(job(turn, name))
        self.do()

    def do(self) -> None:
        while (step := self.slices.step(self.clock)) is not None:
            what, waiting = step
            if what == "end":
                self.used[waiting.item] = 0.0
                self.ended.append(waiting.item)
                self.started.discard(waiting.item)
                self.slices.done(waiting)
                self.slices.put_again(waiting)
                continue
            self.running[waiting.item] = waiting
            self.started.add(waiting.item)
            self.most_started = max(self.most_started, len(self.started))

    def tick(self, seconds: float = 0.05) -> None:
        self.clock += seconds
        for name, waiting in tuple(self.running.items()):
            self.used[name] = self.used.get(name, 0.0) + seconds
            goes_on = self.slices.spent(waiting, seconds, self.clock)
            if self.used[name] >= self.needs[name]:
                self.done[name] = self.clock
                self.started.discard(name)
                self.slices.done(waiting)
                del self.running[name]
            elif not goes_on:
                del self.running[name]
            self.do()

    def until(self, clock: float) -> None:
        while self.clock < clock:
            self.tick()

    def until_done(self, name: str) -> float:
        while name not in self.done:
            assert self.clock < 1_000, "it is never done"
            self.tick()
        return self.done[name]


LOOP_S = 4.1


@pytest.mark.parametrize("loops", [8, 24, 200])
@pytest.mark.parametrize("before_s", [0.0, 0.3, 2.0, 10.0])
def test_an_honest_second_is_served_soon_beside_as_many_loops(loops: int, before_s: float) -> None:
    """Each of another learner, and begun before: two slices and the second itself at most."""
    needs = {f"loop {n}": LOOP_S for n in range(loops)} | {"honest": 1.0}
    machine = Machine(Slices(at_once=2, places=4), needs)
    for n in range(loops):
        machine.put(f"looper {n}", f"loop {n}")
    machine.until(before_s)
    machine.put("ann", "honest")
    assert machine.until_done("honest") - before_s <= 2 * SLICE_S + 1.0 + 0.2


def test_the_tenth_honest_second_is_served_as_soon_as_the_first() -> None:
    """Loopers that go on and on have used more than who thinks between two tries."""
    needs = {f"honest {n}": 1.0 for n in range(10)}
    machine = Machine(Slices(at_once=2, places=4), needs)
    loops = 0

    def refill() -> None:
        nonlocal loops
        waiting = {w.turn for w in machine.slices.waiting()} | {
            f"looper {name.split()[1]}" for name in machine.started if name.startswith("loop")
        }
        for n in range(24):
            if f"looper {n}" not in waiting:
                loops += 1
                needs[f"loop {n} {loops}"] = LOOP_S
                machine.put(f"looper {n}", f"loop {n} {loops}")

    for n in range(10):
        refill()
        machine.until(machine.clock + 15.0)
        refill()
        came = machine.clock
        machine.put("ann", f"honest {n}")
        assert machine.until_done(f"honest {n}") - came <= 2 * SLICE_S + 1.2


def test_what_is_ended_for_another_is_run_once_more_and_done() -> None:
    needs = {f"loop {n}": LOOP_S for n in range(12)}
    machine = Machine(Slices(at_once=2, places=4), needs)
    for n in range(12):
        machine.put(f"looper {n}", f"loop {n}")
    for n in range(12):
        machine.until_done(f"loop {n}")
    assert machine.ended
    assert len(set(machine.ended)) == len(machine.ended), "nobody is ended twice"


@given(
    st.integers(1, 3),
    st.integers(1, 5),
    st.lists(st.tuples(st.integers(0, 6), st.floats(0.1, 5.0)), min_size=1, max_size=14),
)
def test_all_are_done_and_never_more_are_started_than_fit(
    at_once: int, places: int, jobs: list[tuple[int, float]]
) -> None:
    needs = {f"{n}": seconds for n, (_, seconds) in enumerate(jobs)}
    machine = Machine(Slices(at_once=at_once, places=places), needs)
    for n, (turn, _) in enumerate(jobs):
        machine.put(str(turn), str(n))
        machine.tick()
    for name in needs:
        machine.until_done(name)
    assert machine.most_started <= max(at_once, places)


def test_the_last_place_is_for_one_that_has_not_run() -> None:
    slices: Slices[str] = Slices(at_once=1, places=2)
    slices.put(job("a"))
    steps(slices)
    slices.put(job("b"))
    assert not slices.spent(job("a"), SLICE_S, 0.0)
    assert steps(slices) == [("start", "b")]
    slices.put(job("c"))
    assert not slices.spent(job("b"), SLICE_S + 0.1, 0.0)
    assert steps(slices) == [("end", "b")], "it used most, and its place is needed"
    slices.done(job("b"))
    slices.put_again(job("b"))
    assert steps(slices) == [("start", "c")]
    slices.done(job("c"))
    assert steps(slices) == [("go on", "a")], "the last place is for none that has run"


def test_what_our_fault_hit_runs_alone_among_slow_ones() -> None:
    slices: Slices[str] = Slices(at_once=2, places=4)
    for name in ("a", "b", "c"):
        slices.put(job(name))
    assert len(steps(slices)) == 2
    slices.put_alone(job("hit"))
    running = [name for name in "abc" if job(name) not in slices.waiting()]
    assert not slices.spent(job(running[0]), 0.01, 0.0), "it stands still for the lone one"
    assert steps(slices) == [], "another slow job still runs"
    slices.done(job(running[1]))
    assert steps(slices) == [("start", "hit")]
    assert slices.spent(job("hit"), 10 * SLICE_S, 0.0), "it is never stopped"
    assert steps(slices) == []
    slices.done(job("hit"))
    assert len(steps(slices)) == 2


def test_a_job_that_waits_can_be_taken_out_and_one_that_runs_can_not() -> None:
    slices: Slices[str] = Slices(at_once=1, places=2)
    slices.put(job("a"))
    steps(slices)
    slices.put(job("b"))
    assert slices.remove(job("b"))
    assert not slices.remove(job("b"))
    assert not slices.remove(job("a"))


def test_places_in_line_go_round_by_owner() -> None:
    slices: Slices[str] = Slices(at_once=1, places=2)
    for name in ("a1", "a2", "b1"):
        slices.put(job(name[0], name))
    slices.put_alone(job("hit"))
    names = [("a", "a1"), ("a", "a2"), ("b", "b1"), ("hit", "hit")]
    assert [slices.place(job(*name), 0.0) for name in names] == [1, 3, 2, 0]
    assert slices.place(job("nobody"), 0.0) is None
