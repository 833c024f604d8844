"""Submissions: stored first, judged once, answered for ever with the same report."""

from __future__ import annotations

from concurrent.futures import CancelledError

import pytest

from app import metrics
from app.admission import Allowance
from app.catalog import ExerciseError, ExerciseErrors
from app.model import Exercise, Expectations, Lane, LearnerId, Slug, SubmissionId
from app.ports import SandboxFault
from app.records import Json
from app.service import (
    ExerciseBroken,
    NoSuchExercise,
    NoSuchSubmission,
    Refused,
    Service,
)
from tests.service.world import LOOP, PATIENCE_S, REFERENCE, SOFTMAX, WRONG, World, expectations

ANN, BEN = LearnerId("ann"), LearnerId("ben")


def judged(service: Service, source: bytes, learner: LearnerId = ANN) -> Json:
    submission = service.submissions.submit(learner, SOFTMAX, source)
    return service.submissions.verdict(submission.id).result(PATIENCE_S)


def test_a_submission_gets_its_report(service: Service) -> None:
    report = judged(service, REFERENCE)
    assert (report["verdict"], report["passed"], report["total"]) == ("accepted", 6, 6)


def test_the_report_is_the_same_for_ever(service: Service) -> None:
    submission = service.submissions.submit(ANN, SOFTMAX, WRONG)
    first = service.submissions.verdict(submission.id).result(PATIENCE_S)
    assert first["verdict"] == "wrong_answer"
    assert first["submission"] == submission.id
    assert service.submissions.verdict(submission.id).result(0) == first
    assert service.submissions.get(submission.id, ANN).report == first


def test_a_submission_is_stored_before_it_is_judged(world: World, service: Service) -> None:
    submission = service.submissions.submit(ANN, SOFTMAX, b"# waits\n" + REFERENCE)
    assert world.sandbox.begun.acquire(timeout=PATIENCE_S)
    found = service.submissions.get(submission.id, ANN)
    assert found.source == b"# waits\n" + REFERENCE
    assert found.report is None


def test_what_was_stored_and_not_judged_is_judged_at_the_next_start(world: World) -> None:
    """Endless loops and an exercise's reference alike; the first server never got to them."""
    first = world.service(started=False)
    learners = [LearnerId(f"learner {n}") for n in range(4)]
    submissions = [
        first.submissions.submit(learner, SOFTMAX, source)
        for learner, source in zip(learners, (LOOP, b"\x00", REFERENCE, b"\xff"), strict=True)
    ]
    first.close()
    second = world.service()
    verdicts = [second.submissions.verdict(s.id).result(PATIENCE_S)["verdict"] for s in submissions]
    assert verdicts == ["time_limit", "syntax_error", "accepted", "syntax_error"]


def test_a_server_that_closes_gives_up_nothing(world: World) -> None:
    first = world.service(started=False)
    submission = first.submissions.submit(ANN, SOFTMAX, REFERENCE)
    waiting = first.submissions.verdict(submission.id)
    first.close()
    with pytest.raises(CancelledError):
        waiting.result(PATIENCE_S)
    second = world.service()
    assert second.submissions.verdict(submission.id).result(PATIENCE_S)["verdict"] == "accepted"


def test_one_who_gives_up_waiting_takes_it_from_nobody_else(world: World, service: Service) -> None:
    submission = service.submissions.submit(ANN, SOFTMAX, b"# waits\n" + REFERENCE)
    one, other = (
        service.submissions.verdict(submission.id),
        service.submissions.verdict(submission.id),
    )
    assert one.cancel()
    world.sandbox.let.set()
    assert other.result(PATIENCE_S)["verdict"] == "accepted"


def test_a_loop_leaves_the_fast_lane_and_is_judged_in_the_slow_line(
    world: World, service: Service
) -> None:
    assert judged(service, LOOP)["verdict"] == "time_limit"
    assert world.sandbox.lanes == [Lane.FAST, Lane.SLOW]


def test_a_fault_of_ours_is_tried_once_more(world: World, service: Service) -> None:
    world.sandbox.faults = 1
    assert judged(service, b"# faults\n" + REFERENCE)["verdict"] == "accepted"


def test_a_second_fault_is_a_grader_error_with_an_id_and_counts_for_nothing(
    world: World, service: Service
) -> None:
    world.sandbox.faults = 2
    report = judged(service, b"# faults\n" + REFERENCE)
    assert report["verdict"] == "grader_error"
    assert len(str(report["error_id"])) == 8
    assert report["total"] == 6
    (progress,) = (p for p in service.learners.progress(ANN) if p.exercise == SOFTMAX)
    assert progress.attempts == 0


def test_the_same_key_and_source_is_the_same_submission(service: Service) -> None:
    first = service.submissions.submit(ANN, SOFTMAX, WRONG, key="k\ud800")
    assert service.submissions.submit(ANN, SOFTMAX, WRONG, key="k\ud800").id == first.id
    assert service.submissions.submit(ANN, SOFTMAX, REFERENCE, key="k\ud800").id != first.id
    assert service.submissions.submit(BEN, SOFTMAX, WRONG, key="k\ud800").id != first.id


def test_history_holds_what_was_submitted(service: Service) -> None:
    judged(service, WRONG)
    judged(service, REFERENCE)
    judged(service, REFERENCE, BEN)
    assert [line.verdict for line in service.submissions.history(ANN, SOFTMAX)] == [
        "accepted",
        "wrong_answer",
    ]


def test_only_its_learner_or_its_token_opens_a_submission(service: Service) -> None:
    submission = service.submissions.submit(ANN, SOFTMAX, REFERENCE)
    token = service.submissions.read_token(submission.id)
    assert service.submissions.get(submission.id, ANN).id == submission.id
    assert service.submissions.get(submission.id, read_token=token).id == submission.id
    for learner, given in ((BEN, None), (None, None), (BEN, token[:-1]), (None, "\ud800")):
        with pytest.raises(NoSuchSubmission):
            service.submissions.get(submission.id, learner, given)
    with pytest.raises(NoSuchSubmission):
        service.submissions.verdict(SubmissionId("none"))


def test_an_exercise_that_is_not_there(service: Service) -> None:
    with pytest.raises(NoSuchExercise, match="nothing"):
        service.submissions.submit(ANN, Slug("nothing"), REFERENCE)


# ------------------------------------------------------------------ who may come in


def refused(service: Service, learner: LearnerId = ANN, address: str = "") -> Refused:
    with pytest.raises(Refused) as caught:
        service.submissions.submit(learner, SOFTMAX, REFERENCE, address=address)
    return caught.value


def test_two_submissions_of_a_learner_may_be_outstanding(world: World, service: Service) -> None:
    for n in range(2):
        service.submissions.submit(ANN, SOFTMAX, b"# waits\n#%d\n" % n + REFERENCE)
    no = refused(service)
    assert (no.kind, no.retry_after) == ("too_many", 1)
    service.submissions.submit(BEN, SOFTMAX, REFERENCE)
    history = service.submissions.history(ANN, SOFTMAX)
    world.sandbox.let.set()
    for line in history:
        service.submissions.verdict(line.id).result(PATIENCE_S)
    assert judged(service, REFERENCE)["verdict"] == "accepted"


def test_a_refused_submission_is_not_stored_and_takes_no_place(world: World) -> None:
    world.allowance = Allowance(submissions=1)
    service = world.service()
    judged(service, REFERENCE)
    for _ in range(5):
        assert refused(service).kind == "too_many"
    assert len(service.submissions.history(ANN, SOFTMAX)) == 1
    world.wait(minutes=1)
    assert judged(service, REFERENCE)["verdict"] == "accepted"


def test_new_learners_of_an_address_are_limited_and_known_ones_go_on(world: World) -> None:
    world.allowance = Allowance(address_learners=2)
    service = world.service()
    for learner in (ANN, BEN):
        service.submissions.submit(learner, SOFTMAX, REFERENCE, address="192.0.2.1")
    assert refused(service, LearnerId("cleo"), "192.0.2.1").kind == "too_many"
    service.submissions.submit(LearnerId("cleo"), SOFTMAX, REFERENCE, address="192.0.2.2")
    service.submissions.submit(ANN, SOFTMAX, REFERENCE, address="192.0.2.1")


def test_a_full_line_refuses_before_anything_is_stored(world: World) -> None:
    world.allowance = Allowance(line=1)
    service = world.service(started=False)
    service.submissions.submit(ANN, SOFTMAX, REFERENCE)
    assert refused(service, BEN).kind == "line_full"
    assert service.submissions.history(BEN, SOFTMAX) == ()


def test_a_full_disk_takes_nothing_new_and_grades_what_is_stored(world: World) -> None:
    first = world.service(started=False)
    submission = first.submissions.submit(ANN, SOFTMAX, REFERENCE)
    first.close()
    world.free_bytes = 499 * 1024 * 1024
    second = world.service()
    assert second.submissions.verdict(submission.id).result(PATIENCE_S)["verdict"] == "accepted"
    no = refused(second)
    assert (no.kind, 1 <= no.retry_after <= 60) == ("disk_full", True)


def test_without_its_wall_the_server_grades_nothing(world: World, service: Service) -> None:
    world.sandbox.holds = False
    assert refused(service).kind == "not_ready"
    with pytest.raises(Refused):
        service.runs.run(ANN, SOFTMAX, REFERENCE)
    assert not service.ready().grades
    assert service.submissions.history(ANN, SOFTMAX) == ()


def test_what_happens_is_counted(service: Service) -> None:
    def count() -> float:
        return float(metrics.VERDICTS.labels("accepted")._value.get())

    before = count()
    judged(service, REFERENCE)
    assert count() == before + 1


def test_a_text_beyond_all_bounds_is_not_kept(service: Service) -> None:
    with pytest.raises(Refused) as caught:
        service.submissions.submit(ANN, SOFTMAX, b"#" * (512 * 1024 + 1))
    assert caught.value.kind == "too_long"


def test_the_place_in_line(world: World, service: Service) -> None:
    for learner in ("a", "b"):
        service.submissions.submit(LearnerId(learner), SOFTMAX, b"# waits\n" + REFERENCE)
        assert world.sandbox.begun.acquire(timeout=PATIENCE_S)
    third = service.submissions.submit(LearnerId("c"), SOFTMAX, REFERENCE)
    fourth = service.submissions.submit(LearnerId("d"), SOFTMAX, REFERENCE)
    assert (service.submissions.place(third.id), service.submissions.place(fourth.id)) == (1, 2)
    world.sandbox.let.set()
    service.submissions.verdict(fourth.id).result(PATIENCE_S)
    assert service.submissions.place(fourth.id) is None


def test_guests_of_an_address_take_one_turn_and_who_came_back_has_their_own(world: World) -> None:
    """Three without a cookie do not go before one whose cookie came back once."""
    service = world.service()
    for name in ("x", "y"):
        service.submissions.submit(
            LearnerId(name), SOFTMAX, b"# waits\n" + REFERENCE, address="192.0.2.9"
        )
        assert world.sandbox.begun.acquire(timeout=PATIENCE_S)
    guests = [
        service.submissions.submit(LearnerId(f"guest {n}"), SOFTMAX, REFERENCE, address="192.0.2.1")
        for n in range(3)
    ]
    service.came_back(ANN, "192.0.2.1")
    later = service.submissions.submit(ANN, SOFTMAX, REFERENCE, address="192.0.2.1")
    assert [service.submissions.place(s.id) for s in (*guests, later)] == [1, 3, 4, 2]


def test_a_crowd_of_fresh_cookies_shares_the_turn_of_its_address(world: World) -> None:
    """Two newcomers an hour get a turn of their own here; the third and fourth share one."""
    world.allowance = Allowance(address_learners=2)
    service = world.service()
    for name in ("x", "y"):
        service.submissions.submit(
            LearnerId(name), SOFTMAX, b"# waits\n" + REFERENCE, address="192.0.2.9"
        )
        assert world.sandbox.begun.acquire(timeout=PATIENCE_S)
    for name in "abcd":
        service.came_back(LearnerId(name), "192.0.2.1")
    c, d, a = (
        service.submissions.submit(LearnerId(name), SOFTMAX, REFERENCE, address="192.0.2.1")
        for name in "cda"
    )
    assert [service.submissions.place(s.id) for s in (c, d, a)] == [1, 3, 2]


def test_guests_hold_no_more_than_a_tenth_of_the_line(world: World) -> None:
    world.allowance = Allowance(line=30)
    service = world.service(started=False)
    for n in range(3):
        service.submissions.submit(LearnerId(f"guest {n}"), SOFTMAX, REFERENCE, address="192.0.2.1")
    no = refused(service, LearnerId("one more"), "192.0.2.1")
    assert (no.kind, "your network" in str(no.message)) == ("line_full", True)
    service.came_back(ANN, "192.0.2.1")
    service.submissions.submit(ANN, SOFTMAX, REFERENCE, address="192.0.2.1")


# ------------------------------------------------------------------ expectations


def test_a_submission_waits_for_its_own_exercise_only(world: World) -> None:
    """Another exercise's expectations are never ready; this one's submission is judged."""

    def compute(exercise: Exercise) -> Expectations:
        if exercise.slug != SOFTMAX:
            assert world.sandbox.let.wait(PATIENCE_S)
        return expectations(exercise)

    world.compute = compute
    assert judged(world.service(), REFERENCE)["verdict"] == "accepted"


def test_an_authors_mistake_is_neither_the_learners_nor_a_crash(world: World) -> None:
    def compute(exercise: Exercise) -> Expectations:
        raise ExerciseErrors([ExerciseError("cases.py", "columns", "returns no tuple")])

    world.compute = compute
    service = world.service(started=False)
    report = judged(service, REFERENCE)
    assert report["verdict"] == "grader_error"
    with pytest.raises(ExerciseBroken, match="returns no tuple"):
        service.submissions.submit(ANN, SOFTMAX, REFERENCE)
    assert any("returns no tuple" in line for line in service.ready().complaints)


def test_expectations_that_failed_by_our_fault_are_tried_again(world: World) -> None:
    failures = [SandboxFault("gone")]

    def compute(exercise: Exercise) -> Expectations:
        if exercise.slug == SOFTMAX and failures:
            raise failures.pop()
        return expectations(exercise)

    world.compute = compute
    service = world.service(started=False)
    with pytest.raises(SandboxFault):
        service.exercises.expectations(SOFTMAX)
    assert service.exercises.expectations(SOFTMAX).tests


def test_it_is_judged_while_the_disk_takes_it_and_answered_for_afterwards(
    world: World, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody hears of a submission that a power cut could undo."""
    settled: list[str] = []
    store = world.opened[-1].submissions._store

    def settle() -> None:
        assert world.sandbox.begun.acquire(timeout=PATIENCE_S), "it is at work by now"
        settled.append("settled")

    monkeypatch.setattr(store, "settle", settle)
    source = b"# waits\n" + REFERENCE
    submission = service.submissions.submit(ANN, SOFTMAX, source, key="k")
    assert settled == ["settled"]
    world.sandbox.begun.release()
    world.sandbox.let.set()
    assert service.submissions.submit(ANN, SOFTMAX, source, key="k").id == submission.id
    assert settled == ["settled", "settled"], "a second press is told of it no sooner"
    assert service.submissions.verdict(submission.id).result(PATIENCE_S)["passed"] == 6
