"""What every store promises: one suite for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.model import LearnerId, Slug, SubmissionId
from app.model.classes import TryLimit
from app.ports import Store
from app.ports.classes import TriesUsedUp
from app.records import Draft, FollowUpAnswer, Hole, NewSubmission, SecondLook
from app.storage.store import SqlStore
from tests import databases
from tests.fake_store import FakeStore

ANN, BEN = LearnerId("ann"), LearnerId("ben")
MHA, SOFTMAX = Slug("multi-head-attention"), Slug("stable-softmax")
NOON = datetime(2026, 11, 29, 12, 0, 0, 123456, tzinfo=UTC)


@pytest.fixture(params=["sqlite", "postgres", "fake"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store
    match request.param:
        case "sqlite":
            made = SqlStore(databases.sqlite(tmp_path / "store" / "mlgrind.db"))
        case "postgres":
            made = SqlStore(request.getfixturevalue("postgres_url"))
        case _:
            made = FakeStore()
    yield made
    made.close()


def new(
    name: str,
    learner: LearnerId = ANN,
    exercise: Slug = MHA,
    source: bytes = b"x = 1",
    key: str | None = None,
    minute: int = 0,
) -> NewSubmission:
    at = NOON + timedelta(minutes=minute)
    return NewSubmission(SubmissionId(name), learner, exercise, source, at, key)


def report(verdict: str, passed: int = 0) -> dict[str, object]:
    return {"verdict": verdict, "passed": passed, "total": 6, "digest": "d" * 64}


def submit(store: Store, name: str, verdict: str | None, **of: object) -> None:
    made = new(name, **of)  # type: ignore[arg-type]
    store.submissions.add(made)
    if verdict is not None:
        passed = 6 if verdict == "accepted" else 1
        assert store.submissions.record(made.id, report(verdict, passed), made.created_at)


# ------------------------------------------------------------------ submissions


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"def f():\n    return 1\n",
        "é\x00ü\ud800".encode("utf-8", "surrogatepass"),
        b"\xff\xfe not UTF-8",
        b"x" * (512 * 1024),
    ],
    ids=["empty", "plain", "NUL and lone surrogate", "not UTF-8", "long"],
)
def test_a_source_comes_back_byte_for_byte(store: Store, source: bytes) -> None:
    store.submissions.add(new("s1", source=source))
    found = store.submissions.get(SubmissionId("s1"))
    assert found is not None
    assert found.source == source


def test_times_come_back_as_the_same_moment(store: Store) -> None:
    store.submissions.add(new("s1"))
    found = store.submissions.get(SubmissionId("s1"))
    assert found is not None
    assert found.created_at == NOON
    assert found.created_at.utcoffset() == timedelta(0)


def test_a_time_without_a_zone_is_refused(store: Store) -> None:
    naive = NewSubmission(SubmissionId("s1"), ANN, MHA, b"", datetime(2026, 1, 1))
    with pytest.raises(Exception, match="without a zone"):
        store.submissions.add(naive)


def test_same_key_and_source_is_the_same_submission(store: Store) -> None:
    first, fresh = store.submissions.add(new("s1", key="k"))
    again, fresh_again = store.submissions.add(new("s2", key="k"))
    assert (fresh, fresh_again) == (True, False)
    assert again.id == first.id
    assert store.submissions.known(ANN, MHA, b"x = 1", "k") == first


@pytest.mark.parametrize(
    "other",
    [
        new("s2", key="k", source=b"x = 2"),
        new("s2", key="other"),
        new("s2", key="k", learner=BEN),
        new("s2", key="k", exercise=SOFTMAX),
        new("s2", key=None),
    ],
    ids=["source", "key", "learner", "exercise", "no key"],
)
def test_another_source_key_learner_or_exercise_is_another_submission(
    store: Store, other: NewSubmission
) -> None:
    store.submissions.add(new("s1", key="k"))
    made, fresh = store.submissions.add(other)
    assert fresh
    assert made.id == "s2"


def test_submissions_without_a_key_are_never_taken_for_each_other(store: Store) -> None:
    assert store.submissions.add(new("s1"))[1]
    assert store.submissions.add(new("s2"))[1]


def test_unreported_ones_come_oldest_first(store: Store) -> None:
    for name in ("s1", "s2", "s3"):
        store.submissions.add(new(name))
    store.submissions.record(SubmissionId("s2"), report("accepted", 6), NOON)
    assert store.submissions.unreported() == ("s1", "s3")


def test_the_first_report_stands(store: Store) -> None:
    store.submissions.add(new("s1"))
    assert store.submissions.record(SubmissionId("s1"), report("accepted", 6), NOON)
    assert not store.submissions.record(SubmissionId("s1"), report("wrong_answer"), NOON)
    found = store.submissions.get(SubmissionId("s1"))
    assert found is not None
    assert found.report == report("accepted", 6)


def test_a_report_is_replaced_only_where_that_is_asked_for(store: Store) -> None:
    submit(store, "1", "accepted")
    named = {**report("wrong_answer", 2), "diagnosis": {"misconceptions": ["merged"]}}
    for number, put in enumerate((report("wrong_answer", 2), report("runtime_error"), named)):
        assert store.submissions.replace(SubmissionId("1"), put, NOON), number
        stored = store.submissions.get(SubmissionId("1"))
        assert stored is not None
        assert stored.report == put
    assert store.submissions.history(ANN, MHA)[0].verdict == "wrong_answer"
    store.submissions.add(new("2", source=b"x = 2"))
    assert not store.submissions.replace(SubmissionId("2"), named, NOON)
    assert not store.submissions.replace(SubmissionId("none"), named, NOON)


def test_a_report_on_nothing_is_not_kept(store: Store) -> None:
    assert not store.submissions.record(SubmissionId("gone"), report("accepted"), NOON)


def test_a_report_may_hold_any_text(store: Store) -> None:
    store.submissions.add(new("s1"))
    body = {**report("runtime_error"), "message": "NUL \x00, \ud800, \u202e and 🧊"}
    store.submissions.record(SubmissionId("s1"), body, NOON)
    found = store.submissions.get(SubmissionId("s1"))
    assert found is not None
    assert found.report == body


def test_history_is_ones_own_newest_first(store: Store) -> None:
    submit(store, "s1", "wrong_answer")
    submit(store, "s2", None)
    submit(store, "s3", "accepted", learner=BEN)
    submit(store, "s4", "accepted", exercise=SOFTMAX)
    history = store.submissions.history(ANN, MHA)
    assert [(line.id, line.verdict, line.passed) for line in history] == [
        ("s2", None, 0),
        ("s1", "wrong_answer", 1),
    ]


def test_history_names_the_mistakes_of_each_report_in_their_order(store: Store) -> None:
    store.submissions.add(new("s1"))
    several = [{"misconception": "no-scale"}, {"misconception": "axis-zero"}]
    told = {**report("wrong_answer"), "diagnosis": {"misconception": "x", "mistakes": several}}
    store.submissions.record(SubmissionId("s1"), told, NOON)
    submit(store, "s2", "accepted")
    history = store.submissions.history(ANN, MHA)
    assert [(line.id, line.mistakes) for line in history] == [
        ("s2", ()),
        ("s1", ("no-scale", "axis-zero")),
    ]


def test_progress_counts_what_was_the_learners(store: Store) -> None:
    submit(store, "s1", "wrong_answer", minute=1)
    submit(store, "s2", "grader_error", minute=2)
    submit(store, "s3", "accepted", minute=3)
    submit(store, "s4", "accepted", minute=4)
    submit(store, "s5", "wrong_answer", minute=5)
    store.ladder.reveal_hint(ANN, MHA, 1, NOON)
    store.ladder.reveal_hint(ANN, SOFTMAX, 1, NOON)
    softmax_done, mha_done = sorted(store.submissions.progress(ANN), key=lambda row: row.attempts)
    assert (mha_done.exercise, mha_done.state, mha_done.attempts) == (MHA, "passed", 4)
    assert mha_done.first_passed_at == NOON + timedelta(minutes=3)
    assert (mha_done.last_verdict, mha_done.last_passed) == ("wrong_answer", 1)
    assert mha_done.hints == 1
    assert (softmax_done.exercise, softmax_done.state) == (SOFTMAX, "begun")


def test_export_gives_each_submission_with_the_hints_open_then(store: Store) -> None:
    store.learners.rename(ANN, "Ann", NOON)
    submit(store, "s1", "wrong_answer", minute=1)
    store.ladder.reveal_hint(ANN, MHA, 1, NOON + timedelta(minutes=2))
    submit(store, "s2", None, minute=3)
    rows = list(store.submissions.export())
    assert [(r.name, r.submission, r.verdict, r.hints) for r in rows] == [
        ("Ann", "s1", "wrong_answer", 0),
        ("Ann", "s2", "", 1),
    ]


# ------------------------------------------------------------------ learners


def test_a_look_leaves_no_row(store: Store) -> None:
    assert store.learners.get(ANN).created_at is None
    store.ladder.revealed(ANN, MHA)
    store.drafts.all(ANN, MHA)
    assert store.learners.get(ANN).created_at is None


def test_the_first_write_makes_the_learner(store: Store) -> None:
    store.ladder.reveal_hint(ANN, MHA, 1, NOON)
    store.ladder.reveal_hint(ANN, MHA, 2, NOON + timedelta(hours=1))
    assert store.learners.get(ANN).created_at == NOON


def test_a_code_opens_its_learners_work_once(store: Store) -> None:
    store.learners.set_code(ANN, b"old", NOON)
    store.learners.set_code(ANN, b"code", NOON)
    assert store.learners.by_code(b"old") is None
    assert store.learners.by_code(b"code") == ANN
    assert store.learners.use_code(b"code", b"next", NOON) == ANN
    assert store.learners.use_code(b"code", b"other", NOON) is None
    assert store.learners.by_code(b"next") == ANN


def test_a_summary_tells_whose_work_it_is(store: Store) -> None:
    store.learners.rename(ANN, "Ann", NOON)
    submit(store, "s1", "accepted", minute=1)
    submit(store, "s2", "accepted", minute=2)
    submit(store, "s3", "wrong_answer", exercise=SOFTMAX, minute=3)
    store.ladder.reveal_hint(ANN, MHA, 1, NOON)
    found = store.learners.summary(ANN)
    assert (found.name, found.submissions, found.passed, found.hints) == ("Ann", 3, 1, 1)
    assert found.first_at == NOON + timedelta(minutes=1)
    assert found.last_at == NOON + timedelta(minutes=3)


def test_joining_moves_everything_and_loses_nothing(store: Store) -> None:
    store.learners.rename(ANN, "Ann", NOON)
    submit(store, "s1", "accepted", key="k")
    submit(store, "s2", None, learner=BEN, key="k")
    for learner in (ANN, BEN):
        store.ladder.reveal_hint(learner, MHA, 1, NOON)
        store.drafts.save(learner, draft(learner, version=learner), None)
    store.ladder.reveal_hint(ANN, MHA, 2, NOON)
    store.ladder.reveal_solution(ANN, MHA, NOON)
    store.learners.join(ANN, BEN, NOON)
    assert [line.id for line in store.submissions.history(BEN, MHA)] == ["s2", "s1"]
    revealed = store.ladder.revealed(BEN, MHA)
    assert (revealed.hints, revealed.solution, revealed.passed) == (2, True, True)
    kept = store.drafts.all(BEN, MHA)
    assert kept.opened is not None
    assert {kept.opened.source, *(d.source for d in kept.others)} == {b"ann", b"ben"}
    assert store.learners.get(BEN).name == "Ann"


def test_who_was_joined_is_found_where_the_work_is(store: Store) -> None:
    """Also after the other one was joined again, and by the code written down before."""
    cleo = LearnerId("cleo")
    store.learners.set_code(ANN, b"ann's", NOON)
    store.learners.join(ANN, BEN, NOON)
    store.learners.join(BEN, cleo, NOON)
    assert store.learners.get(ANN).id == cleo
    assert store.learners.by_code(b"ann's") == cleo


def test_a_late_write_of_a_joined_learner_is_kept_where_the_work_is(store: Store) -> None:
    submit(store, "s1", None)
    store.learners.join(ANN, BEN, NOON)
    submit(store, "s2", None, key="k")
    assert [line.id for line in store.submissions.history(BEN, MHA)] == ["s2", "s1"]
    again, fresh = store.submissions.add(new("s3", key="k"))
    assert (again.id, again.learner, fresh) == ("s2", BEN, False)


TWO_TRIES = TryLimit(NOON - timedelta(days=1), NOON + timedelta(days=1), 2)


def test_a_try_beyond_the_last_is_not_stored(store: Store) -> None:
    for name, verdict in (("s1", "wrong_answer"), ("s2", "syntax_error"), ("s3", None)):
        store.submissions.add(replace(new(name), limit=TWO_TRIES))
        if verdict is not None:
            store.submissions.record(SubmissionId(name), report(verdict), NOON)
    with pytest.raises(TriesUsedUp):
        store.submissions.add(replace(new("s4"), limit=TWO_TRIES))
    assert store.submissions.get(SubmissionId("s4")) is None


def test_a_try_counts_at_the_moment_it_was_made(store: Store) -> None:
    early = NOON - timedelta(days=2)
    for name in ("s1", "s2", "s3"):
        store.submissions.add(replace(new(name), limit=TWO_TRIES, attempted_at=early))
    store.submissions.add(replace(new("s4"), limit=TWO_TRIES))


# ------------------------------------------------------------------ the ladder


def test_a_hint_opened_twice_is_opened_once(store: Store) -> None:
    store.ladder.reveal_hint(ANN, MHA, 1, NOON)
    store.ladder.reveal_hint(ANN, MHA, 1, NOON)
    assert store.ladder.revealed(ANN, MHA).hints == 1
    assert store.ladder.revealed(BEN, MHA).hints == 0


def test_the_last_answer_to_a_question_is_kept_in_the_learners_words(store: Store) -> None:
    for text in ("first", "own words \ud800 \x00"):
        store.ladder.answer(ANN, FollowUpAnswer(MHA, 1, text, "kept", NOON))
    (answer,) = store.ladder.answers(ANN, MHA)
    assert answer.text == "own words \ud800 \x00"


# ------------------------------------------------------------------ drafts


def draft(text: str, version: str, device: str = "tab") -> Draft:
    return Draft(MHA, text.encode(), version, device, NOON)


def test_a_draft_grown_out_of_another_takes_its_place(store: Store) -> None:
    store.drafts.save(ANN, draft("one", "v1", device="laptop"), None)
    drafts = store.drafts.save(ANN, draft("one two", "v2", device="phone"), "v1")
    assert drafts.opened is not None
    assert drafts.opened.source == b"one two"
    assert drafts.others == ()


def test_drafts_that_part_ways_are_both_kept(store: Store) -> None:
    store.drafts.save(ANN, draft("one", "v1", device="laptop"), None)
    drafts = store.drafts.save(ANN, draft("else", "v2", device="phone"), None)
    assert drafts.opened is not None
    assert drafts.opened.source == b"else"
    assert [d.source for d in drafts.others] == [b"one"]


def test_two_tabs_that_type_in_turn_leave_two_texts(store: Store) -> None:
    base: dict[str, str | None] = {"a": None, "b": None}
    for turn in range(10):
        device = "ab"[turn % 2]
        version = f"v{turn}"
        store.drafts.save(ANN, draft(f"{device}{turn}", version, device), base[device])
        base[device] = version
    drafts = store.drafts.all(ANN, MHA)
    assert drafts.opened is not None
    assert drafts.opened.source == b"b9"
    assert [d.source for d in drafts.others] == [b"a8"]


def test_the_same_text_on_two_devices_is_one_draft(store: Store) -> None:
    store.drafts.save(ANN, draft("one", "v1", device="laptop"), None)
    drafts = store.drafts.save(ANN, draft("one", "v2", device="phone"), None)
    assert drafts.others == ()


def test_drafts_are_bounded_and_the_oldest_goes(store: Store) -> None:
    for n in range(60):
        store.drafts.save(ANN, draft(f"text {n}", f"v{n:02}", device=f"tab {n}"), None)
    drafts = store.drafts.all(ANN, MHA)
    assert len(drafts.others) == 49
    assert drafts.others[-1].source == b"text 10"


def test_a_dropped_draft_is_gone_and_only_ones_own(store: Store) -> None:
    store.drafts.save(ANN, draft("one", "v1"), None)
    store.drafts.drop(BEN, MHA, "v1")
    assert store.drafts.all(ANN, MHA).opened is not None
    store.drafts.drop(ANN, MHA, "v1")
    assert store.drafts.all(ANN, MHA).opened is None


# ------------------------------------------------------------------ links


def test_a_link_opens_its_submission_until_it_is_revoked(store: Store) -> None:
    store.submissions.add(new("s1"))
    store.links.share(SubmissionId("s1"), b"hash", b"n", NOON)
    assert store.links.shared(b"hash") == "s1"
    assert store.links.nonce(SubmissionId("s1")) == b"n"
    store.links.revoke(SubmissionId("s1"))
    assert store.links.shared(b"hash") is None
    assert store.links.nonce(SubmissionId("s1")) is None


def look(name: str, draw: int | None = None, minute: int = 0) -> SecondLook:
    at = NOON + timedelta(minutes=minute)
    test = None if draw is None else {"name": f"draw_{draw}", "message": "off"}
    return SecondLook(SubmissionId(name), MHA, "d" * 64, at, draw, test)


def test_a_second_look_is_kept_once_and_read_again(store: Store) -> None:
    submit(store, "one", "accepted")
    store.looks.record(look("one", 7))
    store.looks.record(look("one", None, minute=5))
    assert store.looks.get(SubmissionId("one")) == look("one", 7)
    assert store.looks.get(SubmissionId("two")) is None


def test_a_look_at_a_submission_that_is_gone_is_not_kept(store: Store) -> None:
    store.looks.record(look("gone", 7))
    assert store.looks.holes() == ()


def test_holes_are_counted_and_come_with_a_source(store: Store) -> None:
    for name, learner, draw in (("a", ANN, 9), ("b", BEN, 7), ("c", ANN, 7), ("d", BEN, None)):
        submit(store, name, "accepted", learner=learner, source=name.encode())
        store.looks.record(look(name, draw))
    assert store.looks.holes() == (
        Hole(MHA, "d" * 64, 7, NOON, 2, b"b"),
        Hole(MHA, "d" * 64, 9, NOON, 1, b"a"),
    )
