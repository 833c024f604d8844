"""Scores: they arrive, and where one does not, whose, why and what to do is said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from app.campus.fetch import Fetched
from app.classroom import campus_scores as words
from app.metrics import LTI_SCORES
from app.model.campuses import Score
from app.model.classes import Assignment, Class
from app.ports.campuses import Unreachable
from app.service.school import School
from app.service.school.campus.scoring import OURS
from tests.campus.conftest import Town
from tests.campus.platform import BLACKBOARD, CANVAS, MOODLE, TEMPERS, Platform, Temper, told


def course(town: Town, temper: Temper = MOODLE) -> tuple[Platform, Class, Assignment]:
    """A connected course with one assignment that Ann and Bo opened."""
    platform = town.platform(temper)
    made = town.connected(platform)
    given = town.given(made)
    town.enter(platform, "1")
    town.enter(platform, "2")
    return platform, made, given


def scores(town: Town, made: Class) -> dict[str, Score]:
    return {one.enrolment.name: one.score for one in town.school.campus.outbox.lines(made.id)}


@pytest.mark.parametrize("temper", TEMPERS, ids=lambda one: one.name)
def test_a_score_arrives_at_every_campus(town: Town, temper: Temper) -> None:
    platform, made, given = course(town, temper)
    town.submit(town.learner(platform, "1"), passed=3)
    town.round()
    (column,) = platform.line_items.values()
    assert (column["label"], column["scoreMaximum"]) == ("Stable Softmax", 10)
    assert column["resourceId"] == given.id
    assert "resourceLinkId" not in column
    (sent,) = platform.scores
    assert (sent["userId"], sent["scoreGiven"], sent["scoreMaximum"]) == ("1", 5, 10)
    assert (sent["activityProgress"], sent["gradingProgress"]) == ("Completed", "FullyGraded")
    assert scores(town, made)["Ann Lee"].state == "sent"
    town.round()
    assert len(platform.scores) == 1, "nothing changed, nothing is sent"


def test_a_column_that_has_a_query_keeps_it_after_scores(town: Town) -> None:
    """Moodle's is such a one."""
    platform, _, _ = course(town, MOODLE)
    town.submit(town.learner(platform, "1"), passed=6)
    town.round()
    assert "POST https://moodle.test/course/1/lineitem/scores?type_id=7" in platform.asked


def test_a_column_that_is_there_is_used_and_two_stop_it_in_words(town: Town) -> None:
    """Moodle's is such a one."""
    platform, made, given = course(town)
    platform.add_column({"label": "Mine", "scoreMaximum": 10, "resourceId": given.id})
    town.submit(town.learner(platform, "1"), passed=6)
    town.round()
    assert len(platform.line_items) == 1
    assert len(platform.scores) == 1
    second = platform.add_column({"label": "Copy", "scoreMaximum": 10, "resourceId": given.id})
    town.submit(town.learner(platform, "2"), passed=6)
    town.school.campus.outbox.again(made.id, "the host")
    town.round()
    failed = scores(town, made)["Bo Day"]
    assert failed.state == "failed"
    assert failed.error == (
        "There are 2 columns for Stable Softmax in your course. "
        "Choose one of them here, or delete all but one there and send all again."
    )
    del platform.line_items[second["id"]]
    assert town.school.campus.outbox.again(made.id, "the host") == 1
    town.round()
    assert scores(town, made)["Bo Day"].state == "sent"


def test_of_two_columns_the_instructor_chooses_one(town: Town) -> None:
    """h: the choice stays, also when all is sent again, until the column is gone."""
    platform, made, given = course(town)
    first, second = (
        platform.add_column({"label": label, "scoreMaximum": 10, "resourceId": given.id})["id"]
        for label in ("Softmax", "Softmax <copy>")
    )
    town.submit(town.learner(platform, "1"), passed=6)
    town.round()
    browser, _ = town.enter(platform, "9", "course")
    path = f"/classes/{made.id}/campus"
    assert "Choose the column of Stable Softmax" in browser.get(path).text
    page = browser.post(path, data={"do": "columns", "assignment": given.id}).text
    assert "Softmax &lt;copy&gt;, 10 points" in page
    assert (first in page, second in page) == (True, True)
    chosen = {"do": "column", "assignment": given.id, "column": second}
    assert browser.post(path, data=chosen).status_code == 303
    town.round()
    assert f"POST {words.scores_address(second)}" in platform.asked
    assert f"POST {words.scores_address(first)}" not in platform.asked
    assert scores(town, made)["Ann Lee"].state == "sent"
    assert browser.post(path, data={"do": "again"}).status_code == 303
    town.submit(town.learner(platform, "2"), passed=6)
    town.round()
    assert scores(town, made)["Bo Day"].state == "sent"
    assert [one.action for one in town.school.classes.audit(made.id)].count("column chosen") == 1


def test_a_column_that_is_none_of_the_assignments_is_never_chosen(town: Town) -> None:
    platform, made, given = course(town)
    platform.add_column({"label": "Theirs", "scoreMaximum": 10, "resourceId": "of another tool"})
    browser, _ = town.enter(platform, "9", "course")
    path = f"/classes/{made.id}/campus"
    (theirs,) = platform.line_items
    for address in (theirs, "https://elsewhere.test/column", ""):
        answer = browser.post(
            path, data={"do": "column", "assignment": given.id, "column": address}
        )
        assert answer.status_code == 409
        assert "not there any more" in answer.text
    for other in ("none", ""):
        assert browser.post(path, data={"do": "columns", "assignment": other}).status_code == 404
    platform.answers.append(("GET", lambda: told(503, {})))
    answer = browser.post(path, data={"do": "columns", "assignment": given.id})
    assert (answer.status_code, "can’t be read (503)" in answer.text) == (409, True)


def test_the_column_of_a_launch_is_the_one_that_counts(town: Town) -> None:
    """h, o."""
    platform, _, given = course(town)
    column = platform.add_column({"label": "By the link", "scoreMaximum": 10, "resourceId": "x"})
    platform.links["link-1"] = f'{{"assignment": "{given.id}"}}'
    service = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
    town.launch(platform, "1", change=lambda said: said[service].update(lineitem=column["id"]))
    town.submit(town.learner(platform, "1"), passed=6)
    town.round()
    assert [one for one in platform.asked if one.endswith("lineitem/scores?type_id=7")]
    assert len(platform.line_items) == 1


def test_times_have_a_zone_and_the_try_has_its_own(town: Town) -> None:
    """i."""
    platform, _, _ = course(town, BLACKBOARD)
    town.submit(town.learner(platform, "1"), passed=6)
    town.world.wait(hours=3)
    town.round()
    (sent,) = platform.scores
    assert sent["timestamp"] == "2026-11-29T15:00:00.000Z"
    assert sent["submission"]["submittedAt"] == "2026-11-29T12:00:00.000Z"


def test_canvas_is_told_when_the_try_was_and_that_hands_go_first(town: Town) -> None:
    """i."""
    platform, _, _ = course(town, CANVAS)
    town.submit(town.learner(platform, "1"), passed=6)
    town.round()
    assert platform.scores[0]["https://canvas.instructure.com/lti/submission"] == {
        "new_submission": True,
        "prioritize_non_tool_grade": True,
        "submitted_at": "2026-11-29T12:00:00.000Z",
    }


@pytest.mark.parametrize("temper", TEMPERS, ids=lambda one: one.name)
def test_who_is_no_student_there_fails_in_words_and_others_go_on(
    town: Town, temper: Temper
) -> None:
    """j."""
    platform, made, _ = course(town, temper)
    platform.users.pop("1")
    town.submit(town.learner(platform, "1"), passed=6)
    town.submit(town.learner(platform, "2"), passed=6)
    for _ in range(10):
        town.round()
        town.world.wait(hours=12)
    found = scores(town, made)
    assert found["Bo Day"].state == "sent"
    assert found["Ann Lee"].state == "failed"
    assert found["Ann Lee"].error == (
        "The campus refuses it. It says: “User not a student in course” "
        "Is Ann Lee a student there? Is the course published?"
    )
    posts = [one for one in platform.asked if one.partition("?")[0].endswith("/scores")]
    assert len(posts) == 1 + 3, "three tries in a day, and no more"


def test_a_test_student_works_and_its_score_fails_quietly(town: Town) -> None:
    """p: impersonated by staff, Canvas's test student."""
    platform, made, _ = course(town, CANVAS)
    browser, path = town.enter(platform, "1")
    platform.users["1"] = platform.users["9"]
    town.submit(town.learner(platform, "1"), passed=6)
    town.submit(town.learner(platform, "2"), passed=6)
    town.round()
    assert browser.get(path).status_code == 200
    assert scores(town, made)["Bo Day"].state == "sent"
    assert scores(town, made)["Ann Lee"].state == "waiting"


def test_zero_is_a_score_and_nothing_done_is_none(town: Town) -> None:
    """k."""
    platform, made, _ = course(town)
    town.submit(town.learner(platform, "1"), passed=0)
    town.round()
    assert [(one["userId"], one["scoreGiven"]) for one in platform.scores] == [("1", 0)]
    assert set(scores(town, made)) == {"Ann Lee"}


def test_a_burst_of_tries_is_one_post_and_a_better_one_another(town: Town) -> None:
    platform, _, _ = course(town)
    ann = town.learner(platform, "1")
    for passed in (1, 2, 3):
        town.submit(ann, passed)
        town.world.wait(seconds=1)
    town.round()
    assert [one["scoreGiven"] for one in platform.scores] == [5]
    town.submit(ann, 6)
    town.round()
    assert [one["scoreGiven"] for one in platform.scores] == [5, 10]
    times = [one["timestamp"] for one in platform.scores]
    assert times[0] < times[1]


def test_an_exam_keeps_its_scores_until_it_is_revealed(town: Town) -> None:
    platform = town.platform()
    made = town.connected(platform)
    town.given(made, feedback="none", due_at="2026-12-01T00:00", closes_at="2026-12-02T00:00")
    town.enter(platform, "1")
    town.submit(town.learner(platform, "1"), passed=6)
    town.round()
    assert scores(town, made)["Ann Lee"].state == "held"
    assert platform.scores == []
    town.world.wait(days=5)
    town.round()
    assert len(platform.scores) == 1


def test_a_score_that_is_held_by_hand_waits(town: Town) -> None:
    platform, made, given = course(town)
    town.submit(town.learner(platform, "1"), passed=6)
    ann = next(one for one in town.school.people.all(made.id) if one.name == "Ann Lee")
    town.school.grades.hold(made.id, given.id, ann.id, "the host")
    town.round()
    assert platform.scores == []
    town.school.grades.hold(made.id, given.id, ann.id, "the host", held=False)
    town.round()
    assert len(platform.scores) == 1


def test_who_was_removed_gets_no_more_scores(town: Town) -> None:
    platform, made, _ = course(town)
    town.submit(town.learner(platform, "1"), passed=6)
    ann = next(one for one in town.school.people.all(made.id) if one.name == "Ann Lee")
    town.school.people.remove(made.id, ann.id, "the host")
    town.round()
    assert platform.scores == []


def unreachable() -> Fetched:
    raise Unreachable("moodle.test did not answer within 10 seconds.")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (unreachable, "moodle.test did not answer within 10 seconds."),
        (lambda: told(503, {"message": "down for maintenance"}), "down for maintenance"),
        (lambda: told(429, {}), "It answers 429."),
        (lambda: Fetched(500, {"content-type": "text/html"}, b"<h1>oops</h1>"), "It answers 500."),
    ],
    ids=["nobody there", "503", "429", "HTML"],
)
def test_what_cannot_be_sent_now_stays_in_the_outbox_and_is_sent_later(
    town: Town, answer: object, said: str
) -> None:
    platform, made, _ = course(town)
    town.submit(town.learner(platform, "1"), passed=6)
    platform.answers = [("POST https://moodle.test/course/1/lineitem/scores", answer)]  # type: ignore[list-item]
    waits = []
    for _ in range(12):
        town.round()
        found = scores(town, made)["Ann Lee"]
        assert (found.state, found.error) == ("waiting", said)
        waits.append(found.next_at - town.world.now)
        town.world.now = found.next_at
    assert waits[:3] == [timedelta(seconds=30), timedelta(seconds=60), timedelta(seconds=120)]
    assert waits[-1] == timedelta(hours=6)
    platform.answers = []
    town.round()
    assert scores(town, made)["Ann Lee"].state == "sent"
    assert scores(town, made)["Ann Lee"].error == ""


def test_a_silent_course_is_asked_once_a_round_and_each_score_has_its_turn(town: Town) -> None:
    slow, made, _ = course(town)
    town.submit(town.learner(slow, "1"), passed=6)
    town.submit(town.learner(slow, "2"), passed=3)
    slow.answers = [("POST https://moodle.test/course/1/lineitem/scores", unreachable)]
    asked = 0
    for _ in range(4):
        town.round()
        found = scores(town, made)
        assert {one.state for one in found.values()} == {"waiting"}
        assert {one.error for one in found.values()} == {
            "moodle.test did not answer within 10 seconds."
        }
        posts = len([one for one in slow.asked if "/lineitem/scores" in one])
        assert posts == asked + 1, "the rest of the course is not asked for"
        asked = posts
        town.world.now = min(one.next_at for one in found.values())
    assert all(one.tries for one in scores(town, made).values()), "each has its turn"
    slow.answers = []
    town.world.wait(hours=7)
    town.round()
    assert {one.state for one in scores(town, made).values()} == {"sent"}


def test_a_column_whose_address_is_none_keeps_no_other_score_back(town: Town) -> None:
    platform, made, given = course(town)
    town.submit(town.learner(platform, "1"), passed=3)
    town.submit(town.learner(platform, "2"), passed=6)
    town.round()
    for n, who in enumerate(("Ann Lee", "Bo Day")):
        sent = scores(town, made)[who]
        lineitem = sent.lineitem if n else "https://[none/lineitem"
        again = replace(sent, state="waiting", lineitem=lineitem, next_at=given.policy.opens_at)
        town.kept.scores.put(again)
    town.school.campus.scoring.send_due()
    found = scores(town, made)
    assert (found["Ann Lee"].state, found["Bo Day"].state) == ("waiting", "sent")
    assert found["Ann Lee"].next_at > town.world.now
    assert found["Ann Lee"].error == OURS


def test_a_token_that_was_taken_back_is_asked_for_anew(town: Town) -> None:
    platform, made, _ = course(town)
    town.submit(town.learner(platform, "1"), passed=3)
    town.round()
    platform.tokens.clear()
    town.submit(town.learner(platform, "1"), passed=6)
    town.round()
    assert scores(town, made)["Ann Lee"].state == "sent"


def test_a_column_that_was_deleted_is_found_or_made_again_once(town: Town) -> None:
    platform, made, _ = course(town)
    town.submit(town.learner(platform, "1"), passed=3)
    town.round()
    platform.line_items.clear()
    gone = ("POST https://moodle.test/course/1/lineitem/scores", lambda: told(404, {}))
    platform.answers = [gone]
    town.submit(town.learner(platform, "1"), passed=6)
    town.round()
    platform.answers = []
    town.round()
    assert scores(town, made)["Ann Lee"].state == "sent"
    assert len(platform.line_items) == 1


def test_a_campus_that_grants_no_scores_is_told_on_the_page(town: Town) -> None:
    platform = town.platform()
    platform.granted = ()
    made = town.connected(platform)
    browser, _ = town.enter(platform, "9", "course")
    page = browser.get(f"/classes/{made.id}/campus").text
    assert "allow “scores” for ML Grind in your campus system" in page
    assert "No columns can be made" in page
    assert "allow “names and roles” there" in page


def test_the_campus_page_says_who_failed_why_and_sends_all_again(town: Town) -> None:
    """31."""
    platform, made, _ = course(town)
    ann = platform.users.pop("1")
    town.submit(town.learner(platform, "1"), passed=6)
    for _ in range(3):
        town.round()
        town.world.wait(hours=12)
    browser, _ = town.enter(platform, "9", "course")
    path = f"/classes/{made.id}/campus"
    page = browser.get(path).text
    assert "Connected with <b>Deep Learning</b> of Moodle" in page
    assert "0 sent, 0 waiting, 1 failed" in page
    assert "Is Ann Lee a student there?" in page
    platform.users["1"] = ann
    assert browser.post(path, data={"do": "again"}).status_code == 303
    town.round()
    assert "1 sent, 0 waiting, 0 failed" in browser.get(path).text


def test_a_class_that_lets_its_course_go_sends_nothing_more(town: Town) -> None:
    platform, made, _ = course(town)
    browser, _ = town.enter(platform, "9", "course")
    assert browser.post(f"/classes/{made.id}/campus", data={"do": "let go"}).status_code == 303
    town.submit(town.learner(platform, "1"), passed=6)
    town.school.campus.round()
    assert platform.scores == []


def test_a_round_counts_scores_for_the_operator(town: Town) -> None:
    platform, _, _ = course(town)
    town.submit(town.learner(platform, "1"), passed=6)
    town.school.campus.round()
    assert town.school.campus.counts() == {"sent": 1}
    found = next(iter(LTI_SCORES.collect())).samples
    assert {one.labels["state"]: one.value for one in found} == {
        "waiting": 0, "sent": 1, "failed": 0, "held": 0
    }  # fmt: skip


def test_of_two_senders_at_once_one_sends_a_score(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As two web processes on one database do; if the one dies, the other sends in two minutes."""
    platform, made, _ = course(town)
    town.submit(town.learner(platform, "1"), passed=6)
    other = School(town.school._parts).campus
    due: list[int] = []
    fetch = platform.fetch

    def heard(method: str, address: str, body: Any, headers: Any) -> Fetched:
        if address.endswith("/scores?type_id=7"):
            due.append(other.scoring.send_due())
        return fetch(method, address, body, headers)

    monkeypatch.setattr(platform, "fetch", heard)
    town.round()
    assert due == [0]
    assert len(platform.scores) == 1
    assert scores(town, made)["Ann Lee"].state == "sent"


def during_a_post(
    town: Town, platform: Platform, monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]
) -> None:
    """Have something happen while the first score is on its way."""
    fetch, acts = platform.fetch, [act]

    def heard(method: str, address: str, body: Any, headers: Any) -> Fetched:
        if acts and address.endswith("/scores?type_id=7"):
            acts.pop()()
        return fetch(method, address, body, headers)

    monkeypatch.setattr(platform, "fetch", heard)
    town.round()
    assert acts == []


def test_all_again_pressed_while_a_score_is_sent_sends_it_again(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have gone into a column that is no longer the chosen one."""
    platform, made, _ = course(town)
    town.submit(town.learner(platform, "1"), passed=6)
    outbox = town.school.campus.outbox
    during_a_post(town, platform, monkeypatch, lambda: outbox.again(made.id, "the host"))
    assert scores(town, made)["Ann Lee"].state == "waiting"
    town.round()
    assert len(platform.scores) == 2
    assert scores(town, made)["Ann Lee"].state == "sent"


def test_who_is_deleted_while_their_score_is_sent_leaves_none(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    platform, made, _ = course(town)
    ann = town.learner(platform, "1")
    town.submit(ann, passed=6)
    school = town.service._parts.school
    assert school is not None
    delete = school.work.delete
    during_a_post(town, platform, monkeypatch, lambda: delete(ann, town.world.now))
    assert town.kept.scores.of_class(made.id) == ()


def test_a_score_whose_sender_died_is_sent_by_another(town: Town) -> None:
    platform, made, _ = course(town)
    town.submit(town.learner(platform, "1"), passed=6)
    (connected,) = town.kept.courses.connected()
    town.school.campus.scoring.note(made.id, connected)
    (score,) = town.kept.scores.due(town.world.now)
    assert town.kept.scores.claim(score, town.world.now + timedelta(minutes=2))
    assert not town.kept.scores.claim(score, town.world.now + timedelta(minutes=2))
    assert town.school.campus.scoring.send_due() == 0
    town.world.wait(minutes=2)
    assert town.school.campus.scoring.send_due() == 1
    assert len(platform.scores) == 1
