"""What every store of classes promises."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeAlias

import pytest

from app.model import LearnerId, Slug, SubmissionId
from app.model.classes import (
    Account,
    AccountId,
    Assignment,
    AssignmentId,
    AuditEntry,
    Class,
    ClassId,
    DeletionRequest,
    Enrolment,
    EnrolmentId,
    Extension,
    Override,
    Policy,
    Regrade,
    Session,
    Staff,
    TryLimit,
)
from app.ports.classes import Taken, TriesUsedUp
from app.records import Draft, NewSubmission
from app.storage import copying
from app.storage.store import SqlStore
from tests.databases import sqlite
from tests.fake_store import FakeStore

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
DAY = timedelta(days=1)
EVA, FRED = AccountId("eva"), AccountId("fred")
ANN, BEN = LearnerId("ann"), LearnerId("ben")
SOFTMAX, NORMS = Slug("stable-softmax"), Slug("norms")
ONE, TWO = ClassId("c1"), ClassId("c2")
POLICY = Policy(1000, NOON - DAY, NOON + DAY, NOON + 2 * DAY)


Kept: TypeAlias = SqlStore | FakeStore


def made_in(request: pytest.FixtureRequest, folder: Path) -> Kept:
    """An empty store of the kind that is asked for."""
    if request.param == "memory":
        return FakeStore()
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    return SqlStore(url or sqlite(folder / "mlgrind.db"))


def counts(store: Kept) -> Mapping[str, int]:
    """How many rows there are, by table."""
    if isinstance(store, FakeStore):
        return store.school.counts()
    return copying.counts(store.database)


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Kept]:
    made = made_in(request, tmp_path)
    made.school.accounts.add(Account(EVA, "Eva", NOON, "eva", host=True))
    made.school.accounts.add(Account(FRED, "Fred", NOON, "fred"))
    made.school.classes.add(
        Class(ONE, "Deep Learning", "Europe/Berlin", NOON, "2026", "CODE1"), EVA
    )
    made.school.classes.add(Class(TWO, "Vision", "Europe/Berlin", NOON, "2026", "CODE2"), FRED)
    yield made
    made.close()


def enrolled(name: str, /, **of: object) -> Enrolment:
    made = Enrolment(
        EnrolmentId(f"e-{name}"), ONE, name.title(), learner=LearnerId(name), joined_at=NOON
    )
    return replace(made, **of)  # type: ignore[arg-type]


def given(**of: object) -> Assignment:
    made = Assignment(AssignmentId("a1"), ONE, SOFTMAX, "Softmax", 1, POLICY, NOON)
    return replace(made, **of)  # type: ignore[arg-type]


def report(
    passed: int = 1, mistakes: tuple[str, ...] = (), digest: str = "d1"
) -> dict[str, object]:
    tests = [{"verdict": "accepted" if n < passed else "wrong_answer"} for n in range(6)]
    told = [{"misconception": name} for name in mistakes]
    return {
        "verdict": "accepted" if passed == 6 else "wrong_answer",
        "passed": passed,
        "total": 6,
        "digest": digest,
        "tests": tests,
        "diagnosis": {**told[0], "mistakes": told} if told else None,
    }


def submit(
    store: Kept,
    name: str,
    learner: LearnerId = ANN,
    exercise: Slug = SOFTMAX,
    told: dict[str, object] | None = None,
    **of: object,
) -> None:
    new = NewSubmission(SubmissionId(name), learner, exercise, name.encode(), NOON)
    store.submissions.add(replace(new, **of))  # type: ignore[arg-type]
    if told is not None:
        assert store.submissions.record(new.id, told, NOON)


# ------------------------------------------------------------------ accounts and sessions


def test_an_account_is_found_by_its_login(store: Kept) -> None:
    found = store.school.accounts.by_login("eva")
    assert found == Account(EVA, "Eva", NOON, "eva", host=True)
    assert store.school.accounts.by_login("nobody") is None
    assert [account.name for account in store.school.accounts.all()] == ["Eva", "Fred"]


def test_a_login_is_somebody_s_once(store: Kept) -> None:
    with pytest.raises(Taken):
        store.school.accounts.add(Account(AccountId("x"), "X", NOON, "eva"))
    with pytest.raises(Taken):
        store.school.accounts.save(Account(FRED, "Fred", NOON, "eva"))


def session(account: AccountId = EVA) -> Session:
    return Session(account, NOON, NOON, NOON + DAY)


def test_a_new_password_ends_every_session(store: Kept) -> None:
    school = store.school
    school.sign_ins.open(b"a", session())
    school.sign_ins.open(b"b", session(FRED))
    school.accounts.set_password(EVA, "hash")
    assert school.accounts.password(EVA) == "hash"
    assert school.sign_ins.get(b"a") is None
    assert school.sign_ins.get(b"b") == session(FRED)


def test_sessions_are_seen_ended_and_forgotten(store: Kept) -> None:
    signs = store.school.sign_ins
    for name in (b"a", b"b", b"c"):
        signs.open(name, session())
    signs.saw(b"a", NOON + timedelta(hours=1))
    found = signs.get(b"a")
    assert found is not None
    assert found.seen_at == NOON + timedelta(hours=1)
    signs.end(b"b")
    assert signs.get(b"b") is None
    assert signs.forget_before(NOON + 2 * DAY) == 2


def test_a_link_is_good_once_for_its_time_and_until_the_next(store: Kept) -> None:
    accounts = store.school.accounts
    accounts.add_link(b"old", EVA, NOON, NOON + DAY)
    accounts.add_link(b"new", EVA, NOON, NOON + DAY)
    assert accounts.link(b"old", NOON) is None
    assert accounts.link(b"new", NOON + DAY) is None
    assert accounts.link(b"new", NOON) == EVA
    assert accounts.use_link(b"new", NOON) == EVA
    assert accounts.use_link(b"new", NOON) is None
    assert accounts.link(b"new", NOON) is None


# ------------------------------------------------------------------ classes and staff


def test_a_class_is_found_by_its_code_and_its_staff(store: Kept) -> None:
    classes = store.school.classes
    found = classes.by_code("CODE1")
    assert found is not None
    assert found.id == ONE
    assert [made.id for made, _ in classes.taught_by(EVA)] == [ONE]
    assert [made.id for made in classes.all()] == [TWO, ONE]
    (eva,) = classes.staff(ONE)
    assert (eva.name, eva.role) == ("Eva", "instructor")


def test_a_code_is_one_class_s(store: Kept) -> None:
    with pytest.raises(Taken):
        store.school.classes.add(Class(ClassId("c3"), "X", "UTC", NOON, join_code="CODE1"), EVA)
    assert store.school.classes.get(ClassId("c3")) is None
    one = store.school.classes.get(ONE)
    assert one is not None
    with pytest.raises(Taken):
        store.school.classes.save(replace(one, join_code="CODE2"))
    store.school.classes.save(replace(one, join_code=None, archived_at=NOON))
    assert store.school.classes.by_code("CODE1") is None


def test_the_last_instructor_cannot_go(store: Kept) -> None:
    classes = store.school.classes
    assert not classes.remove_staff(ONE, EVA)
    assert not classes.set_staff(Staff(ONE, EVA, "assistant", NOON))
    assert classes.set_staff(Staff(ONE, FRED, "assistant", NOON))
    assert not classes.remove_staff(ONE, EVA)
    assert classes.set_staff(Staff(ONE, FRED, "instructor", NOON))
    assert classes.remove_staff(ONE, EVA)
    assert [staff.name for staff in classes.staff(ONE)] == ["Fred"]


# ------------------------------------------------------------------ people


def test_a_learner_is_in_a_class_once(store: Kept) -> None:
    people = store.school.enrolments
    people.add(enrolled("ann", student_id="s1"))
    assert people.get(EnrolmentId("e-ann")) == enrolled("ann", student_id="s1")
    assert people.of_learner(ANN) == people.of_class(ONE)
    for again in (
        enrolled("ann", id=EnrolmentId("x")),
        enrolled("ben", student_id="s1"),
    ):
        with pytest.raises(Taken):
            people.add(again)
    people.add(enrolled("ann", id=EnrolmentId("y"), class_id=TWO))
    assert len(people.of_learner(ANN)) == 2


def test_a_roster_is_applied_whole_or_not_at_all(store: Kept) -> None:
    people = store.school.enrolments
    people.add(enrolled("ann", student_id="s1"))
    new = enrolled("ben", learner=None, student_id="s2", state="invited", joined_at=None)
    clash = enrolled("cleo", learner=None, student_id="s2")
    with pytest.raises(Taken):
        people.apply([new, clash], [enrolled("ann", name="Anna", student_id="s1")])
    assert [one.name for one in people.of_class(ONE)] == ["Ann"]
    people.apply([new], [enrolled("ann", name="Anna", student_id="s1")])
    assert [one.name for one in people.of_class(ONE)] == ["Anna", "Ben"]


def test_a_seat_code_works_once_and_in_its_time(store: Kept) -> None:
    people = store.school.enrolments
    people.add(enrolled("ben", learner=None, state="invited", joined_at=None))
    people.set_seat(EnrolmentId("e-ben"), b"seat", NOON + DAY)
    assert people.by_seat(b"seat") is not None
    assert people.take_seat(b"seat", BEN, NOON + DAY) is None
    taken = people.take_seat(b"seat", BEN, NOON)
    assert taken is not None
    assert (taken.learner, taken.state, taken.joined_at) == (BEN, "active", NOON)
    assert people.take_seat(b"seat", ANN, NOON) is None
    used = people.by_seat(b"seat")  # still known, so that a second use can be logged
    assert used is not None
    assert used.seat_until == NOON


def test_a_seat_of_somebody_removed_opens_nothing(store: Kept) -> None:
    people = store.school.enrolments
    people.add(enrolled("ben", state="removed"))
    people.set_seat(EnrolmentId("e-ben"), b"seat", NOON + DAY)
    assert people.take_seat(b"seat", ANN, NOON) is None


def test_who_sits_in_the_class_takes_no_second_seat(store: Kept) -> None:
    people = store.school.enrolments
    people.add(enrolled("ann"))
    people.add(enrolled("ben", learner=None))
    people.set_seat(EnrolmentId("e-ben"), b"seat", NOON + DAY)
    with pytest.raises(Taken):
        people.take_seat(b"seat", ANN, NOON)
    assert people.by_seat(b"seat") is not None


def test_merging_takes_what_was_given_to_the_other_along(store: Kept) -> None:
    school = store.school
    school.assignments.add(given())
    for name in ("ann", "ben"):
        school.enrolments.add(enrolled(name, student_id=name))
    school.assignments.extend(extension("e-ben", excused=True))
    school.assignments.override(override("e-ben", points=100))
    school.enrolments.merge(
        EnrolmentId("e-ben"), enrolled("ann", student_id="ben", section="B"), NOON
    )
    (left,) = school.enrolments.of_class(ONE)
    assert (left.name, left.student_id, left.section) == ("Ann", "ben", "B")
    assert [one.enrolment for one in school.assignments.extensions(ONE)] == ["e-ann"]
    assert [one.points for one in school.assignments.overrides(ONE)] == [100]
    gone = school.enrolments.get(EnrolmentId("e-ben"))
    assert gone is not None
    assert (gone.merged_into, gone.learner) == ("e-ann", None)


# ------------------------------------------------------------------ assignments


def extension(enrolment: str = "e-ann", **of: object) -> Extension:
    made = Extension(AssignmentId("a1"), EnrolmentId(enrolment), EVA, NOON)
    return replace(made, **of)  # type: ignore[arg-type]


def override(enrolment: str = "e-ann", **of: object) -> Override:
    made = Override(AssignmentId("a1"), EnrolmentId(enrolment), EVA, NOON, reason="seen it")
    return replace(made, **of)  # type: ignore[arg-type]


def test_an_exercise_is_given_to_a_class_once(store: Kept) -> None:
    kept = store.school.assignments
    policy = replace(
        POLICY,
        late="per_day",
        late_share=1000,
        scoring="all",
        counts="last",
        attempts=3,
        hint_share=500,
        feedback="none",
        reveal_at=NOON + 3 * DAY,
        solution="after",
        reserved=True,
    )
    kept.add(given(policy=policy))
    assert kept.get(AssignmentId("a1")) == given(policy=policy)
    with pytest.raises(Taken):
        kept.add(given(id=AssignmentId("a2")))
    kept.save(given(removed_at=NOON))
    kept.add(given(id=AssignmentId("a2")))
    assert [one.id for one in kept.of_class(ONE)] == ["a2"]


def test_what_a_learner_has_to_do_comes_with_their_extension(store: Kept) -> None:
    school = store.school
    school.assignments.add(given())
    school.assignments.add(given(id=AssignmentId("a2"), class_id=TWO))
    for state, name in (("active", "ann"), ("removed", "ben"), ("preview", "eva")):
        school.enrolments.add(enrolled(name, state=state))
    school.assignments.extend(extension(excused=True))
    school.assignments.extend(extension(attempts=7, note="ill"))
    found = school.assignments.of_learner(ANN)
    assert found == ((given(), enrolled("ann"), extension(attempts=7, note="ill")),)
    assert school.assignments.of_learner(BEN) == ()
    assert len(school.assignments.of_learner(LearnerId("eva"))) == 1
    school.assignments.take_back(AssignmentId("a1"), EnrolmentId("e-ann"))
    assert school.assignments.of_learner(ANN)[0][2] is None
    one = school.classes.get(ONE)
    assert one is not None
    school.classes.save(replace(one, archived_at=NOON))
    assert school.assignments.of_learner(ANN) == ()


def test_exercises_are_reserved_by_running_classes(store: Kept) -> None:
    school = store.school
    school.assignments.add(given(policy=replace(POLICY, reserved=True)))
    school.assignments.add(given(id=AssignmentId("a2"), class_id=TWO))
    assert [one.id for one in school.assignments.reserved()] == ["a1"]
    assert [one.id for one in school.assignments.on_exercise(SOFTMAX)] == ["a1", "a2"]
    school.assignments.save(given(removed_at=NOON))
    assert school.assignments.reserved() == ()


def test_an_override_takes_the_place_of_the_last(store: Kept) -> None:
    school = store.school
    school.assignments.add(given())
    school.enrolments.add(enrolled("ann"))
    school.assignments.override(override(points=500))
    school.assignments.override(override(points=None, held=True, note="wait"))
    assert school.assignments.overrides(ONE) == (override(points=None, held=True, note="wait"),)


# ------------------------------------------------------------------ tries


def test_tries_are_those_of_learners_on_the_class_s_exercises(store: Kept) -> None:
    school = store.school
    school.assignments.add(given())
    school.enrolments.add(enrolled("ann"))
    school.enrolments.add(enrolled("eva", state="preview"))
    store.ladder.reveal_hint(ANN, SOFTMAX, 1, NOON - timedelta(seconds=1))
    store.ladder.reveal_hint(ANN, SOFTMAX, 2, NOON + timedelta(seconds=1))
    submit(store, "s1", told=report(2, ("no-scale", "wrong-axis")))
    submit(store, "s2")
    submit(store, "s3", attempted_at=NOON - timedelta(minutes=5))
    submit(store, "s4", exercise=NORMS)
    submit(store, "s5", learner=BEN)
    submit(store, "s6", learner=LearnerId("eva"))
    found = {one.id: one for one in school.work.tries(ONE)}
    assert sorted(found) == ["s1", "s2", "s3"]
    first = found[SubmissionId("s1")]
    assert (first.verdict, first.passed, first.total, first.mask) == ("wrong_answer", 2, 6, 0b11)
    assert (first.mistakes, first.hints) == (("no-scale", "wrong-axis"), 1)
    assert found[SubmissionId("s2")].verdict is None
    assert found[SubmissionId("s3")].at == NOON - timedelta(minutes=5)
    assert found[SubmissionId("s3")].hints == 0
    assert school.work.showing(ONE, SOFTMAX, "wrong-axis") == ("s1",)
    assert [at for *_, at in school.work.hints(ONE)][0] == NOON - timedelta(seconds=1)


def test_a_learner_s_own_tries_are_those_of_the_class(store: Kept) -> None:
    school = store.school
    school.assignments.add(given())
    school.enrolments.add(enrolled("ann"))
    store.ladder.reveal_hint(ANN, SOFTMAX, 1, NOON - timedelta(seconds=1))
    store.ladder.reveal_hint(ANN, SOFTMAX, 2, NOON)
    store.ladder.reveal_hint(ANN, NORMS, 1, NOON - timedelta(days=1))
    submit(store, "s1", told=report(2, ("no-scale",)))
    submit(store, "s2", attempted_at=NOON - timedelta(minutes=5))
    submit(store, "s3", exercise=NORMS)
    submit(store, "s4", learner=BEN)
    found = school.work.tries_of(ANN, [SOFTMAX])
    assert [(one.id, one.hints) for one in found] == [("s2", 0), ("s1", 2)]
    of_class = school.work.tries(ONE, mistakes=False)
    assert sorted(of_class, key=lambda one: one.at) == list(found)
    assert [one.id for one in school.work.tries_of(ANN, [SOFTMAX, NORMS])] == ["s2", "s1", "s3"]
    assert school.work.tries_of(ANN, []) == ()
    named = school.work.tries_of(ANN, [SOFTMAX], mistakes=True)
    assert [(one.id, one.mistakes) for one in named] == [("s2", ()), ("s1", ("no-scale",))]
    assert sorted(school.work.tries(ONE), key=lambda one: one.at) == list(named)


def test_overrides_of_some_people_are_theirs_alone(store: Kept) -> None:
    school = store.school
    school.assignments.add(given())
    for who in ("ann", "ben"):
        school.enrolments.add(enrolled(who))
    school.assignments.override(override("e-ann", points=100))
    school.assignments.override(override("e-ben", points=200))
    ann, ben = EnrolmentId("e-ann"), EnrolmentId("e-ben")
    assert [one.points for one in school.assignments.overrides_of([ben])] == [200]
    assert {one.points for one in school.assignments.overrides_of([ann, ben])} == {100, 200}
    assert school.assignments.overrides_of([]) == ()


def test_the_board_s_stamp_changes_with_everything_on_it(store: Kept) -> None:
    school = store.school
    seen = [school.work.changed_at(ONE)]

    def changed() -> bool:
        seen.append(school.work.changed_at(ONE))
        return seen[-1] not in seen[:-1]

    assert not changed()
    school.assignments.add(given())
    assert changed()
    school.enrolments.add(enrolled("ann"))
    assert changed()
    submit(store, "s1")
    assert changed()
    store.submissions.record(SubmissionId("s1"), report(), NOON)
    assert changed()
    school.assignments.extend(extension(excused=True))
    assert changed()
    store.ladder.reveal_hint(ANN, SOFTMAX, 1, NOON)
    assert changed()
    submit(store, "s2", learner=BEN)
    assert not changed()


def test_programs_come_with_when_their_sender_opened_the_solution(store: Kept) -> None:
    school = store.school
    school.assignments.add(given())
    school.enrolments.add(enrolled("ann"))
    submit(store, "s1", told=report(1, ("no-scale",)))
    store.ladder.reveal_solution(ANN, SOFTMAX, NOON)
    (program,) = school.work.programs(ONE, SOFTMAX)
    assert (program.source, program.mistakes, program.solution_at) == (b"s1", ("no-scale",), NOON)
    assert school.work.programs(ONE, NORMS) == ()


LIMIT = TryLimit(NOON - DAY, NOON + DAY, 2)


def test_a_try_beyond_the_last_is_not_stored(store: Kept) -> None:
    submit(store, "s1", told=report(), limit=LIMIT)
    submit(store, "s2", limit=LIMIT)
    with pytest.raises(TriesUsedUp):
        submit(store, "s3", limit=LIMIT)
    assert store.submissions.get(SubmissionId("s3")) is None
    submit(store, "s4", learner=BEN, limit=LIMIT)
    submit(store, "s5", exercise=NORMS, limit=LIMIT)


def test_what_never_ran_and_what_was_outside_uses_up_no_try(store: Kept) -> None:
    for name, verdict in (("s1", "syntax_error"), ("s2", "policy_error"), ("s3", "grader_error")):
        submit(store, name, told={**report(), "verdict": verdict}, limit=LIMIT)
    submit(store, "s4", attempted_at=NOON - 2 * DAY)
    submit(store, "s5", limit=LIMIT)
    submit(store, "s6", limit=LIMIT)
    with pytest.raises(TriesUsedUp):
        submit(store, "s7", limit=LIMIT)


def test_the_same_key_is_the_same_try_after_the_last_too(store: Kept) -> None:
    one = replace(LIMIT, attempts=1)
    submit(store, "s1", key="k", source=b"x", limit=one)
    submit(store, "s2", key="k", source=b"x", limit=one)
    assert store.submissions.get(SubmissionId("s2")) is None


def test_of_two_tabs_at_once_at_the_last_try_one_counts(store: Kept) -> None:
    outcomes: list[str] = []

    def work(n: int) -> None:
        try:
            submit(store, f"s{n}", limit=replace(LIMIT, attempts=1))
            outcomes.append("stored")
        except TriesUsedUp:
            outcomes.append("used up")

    threads = [threading.Thread(target=work, args=(n,)) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["stored", *["used up"] * 11]


# ------------------------------------------------------------------ joined learners


def test_a_late_write_of_a_joined_learner_is_kept_where_the_work_is(store: Kept) -> None:
    submit(store, "s1")
    store.learners.join(ANN, BEN, NOON)
    submit(store, "s2", key="k")
    assert [line.id for line in store.submissions.history(BEN, SOFTMAX)] == ["s2", "s1"]
    again, fresh = store.submissions.add(
        NewSubmission(SubmissionId("s3"), ANN, SOFTMAX, b"s2", NOON, "k")
    )
    assert (again.id, fresh) == ("s2", False)


def test_joining_takes_the_seat_in_a_class_along(store: Kept) -> None:
    store.school.enrolments.add(enrolled("ann"))
    store.learners.join(ANN, BEN, NOON)
    assert [one.learner for one in store.school.enrolments.of_class(ONE)] == [BEN]


# ------------------------------------------------------------------ regrades


def staged(store: Kept) -> Regrade:
    school = store.school
    school.assignments.add(given())
    for name in ("ann", "ben"):
        school.enrolments.add(enrolled(name))
    submit(store, "s1", told=report(3, ("no-scale",)))
    submit(store, "s2", learner=BEN, told=report(5))
    submit(store, "s3", learner=BEN, told=report(2, digest="d2"))
    submit(store, "s4", learner=LearnerId("stranger"), told=report(2))
    regrade = Regrade("r1", SOFTMAX, "d2", "cases.py was wrong", NOON, ONE, EVA)
    assert school.regrades.digests(SOFTMAX, ONE) == (("d1", 2), ("d2", 1))
    assert school.regrades.start(regrade) == 2
    assert school.regrades.waiting() == (("r1", "s1"), ("r1", "s2"))
    return regrade


def test_a_regrade_counts_nothing_before_it_is_applied(store: Kept) -> None:
    staged(store)
    regrades = store.school.regrades
    regrades.keep("r1", SubmissionId("s1"), report(6, digest="d2"), NOON)
    found = regrades.get("r1")
    assert found is not None
    assert (found.state, found.tries, found.waiting) == ("judging", 2, 1)
    regrades.keep("r1", SubmissionId("s2"), report(4, digest="d2"), NOON)
    (ready,) = regrades.of_class(ONE)
    assert (ready.state, ready.waiting) == ("ready", 0)
    told = [(one.submission, one.old_passed, one.new_passed) for one in regrades.results("r1")]
    assert told == [("s1", 3, 6), ("s2", 5, 4)]
    assert {one.passed for one in store.school.work.tries(ONE)} == {3, 5, 2}


@pytest.mark.parametrize(("rule", "passed"), [("replace", [6, 4, 2]), ("only_better", [6, 5, 2])])
def test_an_applied_regrade_replaces_reports_and_keeps_the_old(
    store: Kept, rule: str, passed: list[int]
) -> None:
    staged(store)
    regrades = store.school.regrades
    regrades.keep("r1", SubmissionId("s1"), report(6, digest="d2"), NOON)
    regrades.keep("r1", SubmissionId("s2"), report(4, digest="d2"), NOON)
    replaced = regrades.finish("r1", "applied", rule, NOON + DAY)  # type: ignore[arg-type]
    assert replaced == sum(now != was for now, was in zip(passed, [3, 5, 2], strict=True))
    tries = sorted(store.school.work.tries(ONE), key=lambda one: one.id)
    assert [one.passed for one in tries] == passed
    assert tries[0].mistakes == ()
    assert regrades.of_class(ONE) == ()
    assert regrades.finish("r1", "applied", "replace", NOON + DAY) is None
    assert past(store)[0] == ("s1", 3)


def past(store: Kept) -> list[tuple[str, int]]:
    """Reports that were replaced: of which submission, and how many tests it had right."""
    if isinstance(store, FakeStore):
        return store.school.past
    with store.database.read() as connection:
        query = "SELECT submission, passed FROM past_reports ORDER BY submission"
        return [(row.submission, row.passed) for row in connection.exec_driver_sql(query)]


def test_a_dropped_regrade_changes_nothing(store: Kept) -> None:
    staged(store)
    store.school.regrades.keep("r1", SubmissionId("s1"), report(6), NOON)
    assert store.school.regrades.finish("r1", "dropped", "replace", NOON) == 0
    assert {one.passed for one in store.school.work.tries(ONE)} == {3, 5, 2}
    assert store.school.regrades.waiting() == ()
    assert store.school.regrades.finish("r1", "applied", "replace", NOON) is None


@pytest.mark.parametrize("presses", [2, 8])
def test_of_regrades_begun_at_once_one_is(store: Kept, presses: int) -> None:
    first = staged(store)
    regrades = store.school.regrades
    assert regrades.start(replace(first, id="r2")) is None
    regrades.finish("r1", "dropped", "replace", NOON)
    if isinstance(store, FakeStore):
        return  # it is no database, and safe for one thread alone
    begun = [replace(first, id=f"p{n}") for n in range(presses)]
    with ThreadPoolExecutor(presses) as buttons:
        told = list(buttons.map(regrades.start, begun))
    assert sorted(told, key=str) == [2, *[None] * (presses - 1)]
    (only,) = regrades.of_class(ONE)
    assert only.tries == 2
    ended = [(only.id, "applied", "replace", NOON)] * presses
    with ThreadPoolExecutor(presses) as buttons:
        done = list(buttons.map(lambda one: regrades.finish(*one), ended))
    assert sorted(done, key=str) == [0, *[None] * (presses - 1)]


def test_a_regrade_of_no_older_try_is_not_begun(store: Kept) -> None:
    regrade = staged(store)
    assert store.school.regrades.finish("r1", "dropped", "replace", NOON) == 0
    newer = replace(regrade, id="r2", digest="d1", exercise=Slug("other"))
    assert store.school.regrades.start(newer) == 0
    assert store.school.regrades.of_class(ONE) == ()


def test_a_version_s_files_are_remembered_from_the_first_time(store: Kept) -> None:
    regrades = store.school.regrades
    regrades.note_version(SOFTMAX, "d1", {"cases.py": "aa"}, NOON)
    regrades.note_version(SOFTMAX, "d1", {"cases.py": "bb"}, NOON + DAY)
    assert regrades.version(SOFTMAX, "d1") == ({"cases.py": "aa"}, NOON)
    assert regrades.version(SOFTMAX, "d9") is None


# ------------------------------------------------------------------ audit, export, deletion


def test_the_audit_is_read_newest_first(store: Kept) -> None:
    audit = store.school.audit
    for n in range(3):
        audit.add(AuditEntry(f"n{n}", NOON, EVA, "seat", f"e{n}", "made", ONE))
    audit.add(AuditEntry("n9", NOON, EVA, "account", "fred"))
    assert [entry.id for entry in audit.of_class(ONE, most=2)] == ["n2", "n1"]
    assert [entry.id for entry in audit.of_object(["e0", "fred"])] == ["n9", "n0"]


def full_life(store: Kept) -> None:
    school = store.school
    school.assignments.add(given())
    school.enrolments.add(enrolled("ann", student_id="s1", campus_login="alee"))
    school.assignments.extend(extension(excused=True))
    school.assignments.override(override(points=500))
    school.work.request_deletion(DeletionRequest(EnrolmentId("e-ann"), NOON))
    submit(store, "s1", told=report(1, ("no-scale",)))
    store.links.share(SubmissionId("s1"), b"h", b"n", NOON)
    store.ladder.reveal_hint(ANN, SOFTMAX, 1, NOON)
    store.ladder.reveal_solution(ANN, SOFTMAX, NOON)
    store.drafts.save(ANN, Draft(SOFTMAX, b"draft", "v1", "tab", NOON), None)
    store.learners.set_code(ANN, b"code", NOON)
    store.learners.join(LearnerId("old"), ANN, NOON)


def test_a_learner_takes_along_all_that_is_kept(store: Kept) -> None:
    full_life(store)
    kept = store.school.work.kept_of(ANN)
    (submission,) = kept["submissions"]  # type: ignore[misc]
    assert (submission["source"], submission["report"]["passed"]) == ("s1", 1)  # type: ignore[has-type]
    assert kept["drafts"][0]["source"] == "draft"  # type: ignore[index]
    assert kept["classes"][0]["title"] == "Deep Learning"  # type: ignore[index]
    assert (len(kept["hints"]), len(kept["solutions"])) == (1, 1)  # type: ignore[arg-type]


def test_a_deleted_learner_leaves_nothing_but_a_blank_seat(store: Kept) -> None:
    full_life(store)
    submit(store, "other", learner=BEN)
    store.school.work.delete(ANN, NOON)
    kept = counts(store)
    left = {
        table: kept[table]
        for table in (
            "learners",
            "submissions",
            "sources",
            "reports",
            "report_mistakes",
            "shares",
            "hint_reveals",
            "solution_reveals",
            "drafts",
            "recovery_codes",
            "extensions",
            "overrides",
            "deletion_requests",
        )
    }
    ours = {"learners": 1, "submissions": 1, "sources": 1, "overrides": 1}
    assert left == {**dict.fromkeys(left, 0), **ours}
    (seat,) = store.school.enrolments.of_class(ONE)
    assert (seat.name, seat.learner, seat.student_id, seat.state) == (
        "deleted",
        None,
        None,
        "removed",
    )


def test_idle_learners_are_those_in_no_class_without_a_sign_of_life(store: Kept) -> None:
    old = NOON - 200 * DAY
    for name in ("idle", "classy", "lately"):
        submit(store, name, learner=LearnerId(name), created_at=old)
    store.school.enrolments.add(enrolled("classy"))
    store.ladder.reveal_hint(LearnerId("lately"), SOFTMAX, 1, NOON)
    before = NOON - 180 * DAY
    assert store.school.work.idle_since(before) == ("idle",)
    store.ladder.reveal_hint(LearnerId("idle"), SOFTMAX, 1, NOON)
    assert not store.school.work.delete_idle(LearnerId("idle"), before, NOON)
    assert store.learners.get(LearnerId("idle")).created_at is not None
    assert store.school.work.delete_idle(LearnerId("idle"), NOON + DAY, NOON + DAY)
    assert store.learners.get(LearnerId("idle")).created_at is None


def test_a_text_that_another_sent_too_stays_when_its_first_sender_goes(store: Kept) -> None:
    for n in range(3):
        submit(store, f"a{n}", source=f"same {n}".encode())
    submit(store, "b0", learner=BEN, source=b"same 0")
    submit(store, "b1", learner=BEN, source=b"own")
    store.school.work.delete(ANN, NOON)
    left = [store.submissions.get(SubmissionId(name)) for name in ("b0", "b1", "a0", "a1")]
    assert [one and one.source for one in left] == [b"same 0", b"own", None, None]
    assert counts(store)["sources"] == 2


def test_a_text_is_dropped_without_looking_at_all_others(tmp_path: Path) -> None:
    made = SqlStore(sqlite(tmp_path / "mlgrind.db"))
    query = (
        "EXPLAIN QUERY PLAN DELETE FROM sources WHERE hash IN (x'00') "
        "AND NOT EXISTS (SELECT 1 FROM submissions WHERE submissions.source = sources.hash)"
    )
    with made.database.read() as connection:
        plan = [row.detail for row in connection.exec_driver_sql(query)]
    made.close()
    assert not [step for step in plan if step.startswith("SCAN")], plan


def test_a_request_to_be_deleted_is_kept_with_its_answer(store: Kept) -> None:
    school = store.school
    school.enrolments.add(enrolled("ann"))
    school.work.request_deletion(DeletionRequest(EnrolmentId("e-ann"), NOON))
    answered = DeletionRequest(EnrolmentId("e-ann"), NOON, "after the exam", NOON + DAY)
    school.work.request_deletion(answered)
    assert school.work.deletion_requests(ONE) == (answered,)
