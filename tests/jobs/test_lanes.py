"""Who goes next: the rules, without a thread."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.jobs.lanes import Lanes
from app.jobs.turns import RememberedTurns, Turns, Waiting
from app.ports import Kind


def job(turn: str, name: str = "", kind: Kind = Kind.SUBMISSION) -> Waiting[str]:
    return Waiting(turn, kind, name or turn)


def fast(lanes: Lanes[str]) -> list[str]:
    """Take what the fast lane gives until it gives no more; every job is quick."""
    out = []
    while (taken := lanes.take_fast()) is not None:
        waiting, suspect = taken
        lanes.done_fast(waiting, suspect=suspect, quick=True)
        out.append(waiting.item)
    return out


def test_turns_come_round() -> None:
    turns: Turns[str] = Turns()
    for name in ("a1", "a2", "a3", "b1", "c1", "b2"):
        turns.put(name[0], name)
    popped = [turns.pop() for _ in range(len(turns))]
    assert popped == ["a1", "b1", "c1", "a2", "b2", "a3"]
    assert turns.pop() is None


@given(st.lists(st.sampled_from("abcde"), max_size=40), st.integers(0, 39))
def test_a_place_is_the_number_of_pops_before(names: list[str], chosen: int) -> None:
    turns: Turns[tuple[str, int]] = Turns()
    items = [(name, n) for n, name in enumerate(names)]
    for item in items:
        turns.put(item[0], item)
    if chosen >= len(items):
        assert turns.ahead("nobody", ("nobody", 0)) is None
        return
    ahead = turns.ahead(items[chosen][0], items[chosen])
    popped = [turns.pop() for _ in items]
    assert ahead == popped.index(items[chosen])


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=20), st.data())
def test_what_is_removed_is_never_popped(names: list[str], data: st.DataObject) -> None:
    turns: Turns[tuple[str, int]] = Turns()
    items = [(name, n) for n, name in enumerate(names)]
    for item in items:
        turns.put(item[0], item)
    gone = data.draw(st.sampled_from(items))
    assert turns.remove(gone[0], gone)
    assert not turns.remove(gone[0], gone)
    popped = [turns.pop() for _ in range(len(turns))]
    assert Counter(popped) == Counter(item for item in items if item != gone)


def test_submissions_go_before_runs_and_runs_before_live_ones() -> None:
    lanes: Lanes[str] = Lanes()
    for kind in (Kind.LIVE, Kind.RUN, Kind.SUBMISSION):
        lanes.put(job("ann", kind.name, kind))
    assert fast(lanes) == ["SUBMISSION", "RUN", "LIVE"]


def test_who_left_the_fast_lane_starts_behind_who_did_not() -> None:
    lanes: Lanes[str] = Lanes()
    lanes.put_slow(job("looper"))
    lanes.put(job("looper", "looper again"))
    lanes.put(job("ann"))
    assert fast(lanes) == ["ann", "looper again"]


def test_who_was_quick_again_starts_with_the_others() -> None:
    lanes: Lanes[str] = Lanes()
    lanes.put_slow(job("looper"))
    lanes.put(job("looper", "quick"))
    assert fast(lanes) == ["quick"]
    lanes.put(job("looper", "next"))
    lanes.put(job("ann"))
    assert fast(lanes) == ["next", "ann"]


def test_suspects_together_hold_one_fast_worker() -> None:
    lanes: Lanes[str] = Lanes()
    for n in range(3):
        lanes.put_slow(job(f"looper {n}"))
        lanes.put(job(f"looper {n}", f"again {n}"))
    first = lanes.take_fast()
    assert first is not None
    assert first[0].item == "again 0"
    assert lanes.take_fast() is None
    lanes.put(job("ann"))
    second = lanes.take_fast()
    assert second is not None
    assert second[0].item == "ann"
    lanes.done_fast(first[0], suspect=True, quick=False)
    third = lanes.take_fast()
    assert third is not None
    assert third[0].item == "again 1"


def test_no_more_turns_are_remembered_than_fit() -> None:
    known = RememberedTurns(2)
    for turn in ("a", "b", "a", "c"):
        known.note(turn, known=True)
    assert [turn in known for turn in "abc"] == [True, False, True]
    known.note("a", known=False)
    assert "a" not in known


@pytest.mark.parametrize(
    ("coming", "goes"),
    [(Kind.SUBMISSION, "live"), (Kind.RUN, "live"), (Kind.LIVE, None)],
    ids=["submission", "run", "live"],
)
def test_a_live_run_gives_way_first(coming: Kind, goes: str | None) -> None:
    lanes: Lanes[str] = Lanes()
    lanes.put(job("ann", "live", Kind.LIVE))
    lanes.put(job("ann", "run", Kind.RUN))
    lanes.put(job("ann", "submission"))
    gone = lanes.give_way(coming)
    assert (None if gone is None else gone.item) == goes


def test_a_submission_never_gives_way() -> None:
    lanes: Lanes[str] = Lanes()
    lanes.put(job("ann"))
    lanes.put_slow(job("ben"))
    assert lanes.give_way(Kind.SUBMISSION) is None
    assert len(lanes) == 2


def test_places_count_all_that_goes_before() -> None:
    lanes: Lanes[str] = Lanes()
    lanes.put_slow(job("looper"))
    again, ann, run = job("looper", "again"), job("ann"), job("ben", "run", Kind.RUN)
    for waiting in (run, again, ann):
        lanes.put(waiting)
    assert [lanes.place(waiting, 0.0) for waiting in (ann, again, run)] == [1, 2, 3]
    assert lanes.place(job("nobody"), 0.0) is None


def test_draining_takes_everything() -> None:
    lanes: Lanes[str] = Lanes()
    lanes.put(job("a"))
    lanes.put_slow(job("b"))
    lanes.slow.put_alone(job("c"))
    assert sorted(w.item for w in lanes.drain()) == ["a", "b", "c"]
    assert len(lanes) == 0


def test_the_runs_of_a_turn_hold_one_fast_worker_and_keep_their_place() -> None:
    lanes: Lanes[str] = Lanes()
    for name in ("guests 1", "guests 2", "ann 1"):
        lanes.put(job(name.split()[0], name, Kind.RUN))
    first, second, none = lanes.take_fast(), lanes.take_fast(), lanes.take_fast()
    assert first is not None and first[0].item == "guests 1"
    assert second is not None and second[0].item == "ann 1"
    assert none is None
    lanes.put(job("guests", "guests submit"))
    lanes.put(job("bea", kind=Kind.RUN))
    assert fast(lanes) == ["guests submit", "bea"]
    lanes.done_fast(first[0], suspect=False, quick=True)
    assert fast(lanes) == ["guests 2"]


def test_a_second_look_begins_once_nobody_has_waited_for_a_moment() -> None:
    lanes: Lanes[str] = Lanes()
    lanes.put(job("ann", "look", Kind.SECOND_LOOK))
    lanes.put(job("ben", "submission"))
    first = lanes.take_fast(10.0)
    assert first is not None
    assert first[0].item == "submission"
    assert (lanes.take_fast(11.0), lanes.rest_s(11.0)) == (None, None)  # its end wakes a worker
    lanes.done_fast(first[0], 12.0, suspect=False, quick=True)
    assert lanes.take_fast(12.01) is None
    assert lanes.rest_s(12.01) == pytest.approx(0.02)
    lanes.put(job("ben", "run", Kind.RUN))
    assert lanes.hurries()
    second = lanes.take_fast(12.02)
    assert second is not None
    assert second[0].item == "run"
    lanes.done_fast(second[0], 12.025, suspect=False, quick=True)
    assert not lanes.hurries()
    assert lanes.take_fast(12.04) is None
    last = lanes.take_fast(12.06)
    assert last is not None
    assert last[0].item == "look"
