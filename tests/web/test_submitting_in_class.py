"""Submitting where it counts: what is asked first, what is left, and which moment it was."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from starlette.testclient import TestClient

from app.model import Slug, SubmissionId
from app.records import SecondLook
from tests.service.world import REFERENCE, WRONG
from tests.web.teacher import SOFTMAX, Teacher, Visit, joined, submitted, text

SUBMIT = f"/exercises/{SOFTMAX}/submissions"


def at(teacher: Teacher, days: float) -> str:
    """A date of the form, so many days from the service's now, on the class's clock."""
    there = teacher.world.now.astimezone(ZoneInfo("Europe/Berlin"))
    return f"{there + timedelta(days=days):%Y-%m-%dT%H:%M}"


def late(teacher: Teacher, **of: str) -> str:
    """An assignment that was due yesterday."""
    return teacher.give(
        **{
            "opens_at": at(teacher, -9),
            "due_at": at(teacher, -0.5),
            "closes_at": at(teacher, 9),
            **of,
        }
    )


def asked(learner: TestClient, source: bytes, **more: object) -> dict[str, object]:
    """What the page's script is asked before this is stored."""
    body = {"source": source.decode(), "ask": True, **more}
    answer = learner.post(f"/api{SUBMIT}", json=body)
    assert answer.status_code == 409, answer.text
    found: dict[str, object] = answer.json()
    return found


def tries(learner: TestClient) -> int:
    return len(learner.get(f"/api{SUBMIT}").json()["submissions"])


def test_the_script_is_asked_before_the_first_late_try(visit: Visit, teacher: Teacher) -> None:
    late(teacher)
    ann = joined(teacher, visit, "Ann")
    found = asked(ann, WRONG)
    assert found["title"] == "This try would be the first late one: −10 %."
    assert found["question"] == "Submit it late"
    assert tries(ann) == 0
    submitted(ann, WRONG)
    answer = ann.post(f"/api{SUBMIT}", json={"source": REFERENCE.decode(), "ask": True})
    assert answer.status_code == 201


def test_a_program_of_one_s_own_is_asked_nothing(visit: Visit, teacher: Teacher) -> None:
    late(teacher, attempts="1")
    submitted(joined(teacher, visit, "Ann"), WRONG)


def test_without_a_script_the_page_asks_and_keeps_the_code(visit: Visit, teacher: Teacher) -> None:
    late(teacher)
    ann = joined(teacher, visit, "Ann")
    page = ann.post(SUBMIT, data={"source": WRONG, "key": "k"}, follow_redirects=False)
    assert page.status_code == 200
    said = text(page)
    assert "This try would be the first late one: −10 %." in said
    assert "Submit it late" in said
    assert "Not now" in said
    assert WRONG.decode().splitlines()[-1].strip() in said
    assert tries(ann) == 0
    sure = {"source": WRONG, "key": "k", "sure": "yes"}
    assert ann.post(SUBMIT, data=sure, follow_redirects=False).status_code == 303
    assert tries(ann) == 1
    again = ann.post(SUBMIT, data={"source": WRONG, "key": "k"}, follow_redirects=False)
    assert again.status_code == 303  # the same key: no new try, nothing to ask
    assert tries(ann) == 1


def test_two_tabs_at_the_last_but_one(visit: Visit, teacher: Teacher) -> None:
    """Exactly one counts; the other reads that its code is kept."""
    teacher.give(attempts="2")
    ann = joined(teacher, visit, "Ann")
    submitted(ann, WRONG)
    assert asked(ann, WRONG)["title"] == "This is your last try."

    def press(tab: int) -> int:
        body = {"source": f"{WRONG.decode()}\n# {tab}"}
        answer = ann.post(f"/api{SUBMIT}", json=body, headers={"Idempotency-Key": f"k{tab}"})
        if answer.status_code == 409:
            assert answer.json()["title"] == (
                "You have used all tries of this assignment. Your code is kept here."
            )
        return answer.status_code

    with ThreadPoolExecutor(2) as tabs:
        assert sorted(tabs.map(press, (1, 2))) == [201, 409]
    assert tries(ann) == 2
    assert "0 tries left" in text(ann.get(f"/exercises/{SOFTMAX}"))


def test_a_form_after_the_last_try_gives_the_code_back(visit: Visit, teacher: Teacher) -> None:
    teacher.give(attempts="1")
    ann = joined(teacher, visit, "Ann")
    submitted(ann, WRONG)
    page = ann.post(SUBMIT, data={"source": REFERENCE, "sure": "yes"}, follow_redirects=False)
    assert page.status_code == 409
    said = text(page)
    assert "You have used all tries of this assignment." in said
    assert REFERENCE.decode().splitlines()[-1].strip() in said
    assert "Try now" not in said


def test_who_is_refused_at_the_deadline_sends_the_moment_along(
    visit: Visit, teacher: Teacher
) -> None:
    """The form of the refusal carries it, and so does the interface's answer."""
    teacher.give(due_at=at(teacher, 0.0005), closes_at=at(teacher, 5))
    ann = joined(teacher, visit, "Ann")
    world = teacher.world
    world.free_bytes = 0
    pressed = world.now
    refused = ann.post(f"/api{SUBMIT}", json={"source": REFERENCE.decode()})
    assert refused.status_code == 503
    token = refused.json()["attempt"]
    page = ann.post(SUBMIT, data={"source": REFERENCE}, follow_redirects=False)
    assert page.status_code == 503
    assert re.search(r'name="attempt" value="[^"]+"', page.text)
    world.wait(minutes=1)
    again = {"source": REFERENCE.decode(), "attempt": token}
    assert ann.post(f"/api{SUBMIT}", json=again).json()["attempt"] == token
    other = {"source": REFERENCE.decode() + "# other", "attempt": token}
    assert ann.post(f"/api{SUBMIT}", json=other).json()["attempt"] != token
    world.free_bytes = 10**12
    world.wait(minutes=9)
    body = {"source": REFERENCE.decode(), "attempt": token, "ask": True}  # it is late by now
    assert ann.post(f"/api{SUBMIT}", json=body).status_code == 201
    found = teacher.school.grades.book(teacher.id).rows[0].grades[0]  # type: ignore[arg-type]
    assert found.computed is not None
    assert abs(found.computed.tried.at - pressed) < timedelta(seconds=1)
    assert found.computed.days_late == 0


def test_each_hint_says_what_it_costs(visit: Visit, teacher: Teacher) -> None:
    teacher.give(hint_share="5")
    ann = joined(teacher, visit, "Ann")
    said = text(ann.get(f"/exercises/{SOFTMAX}"))
    assert "Open hint 1, −5 %" in said
    assert "after hint 1, −5 %" in said
    assert "−5 %" not in text(visit().get(f"/exercises/{SOFTMAX}"))


def test_in_an_exam_the_hints_are_shut_and_say_so(visit: Visit, teacher: Teacher) -> None:
    teacher.give(feedback="count")
    ann = joined(teacher, visit, "Ann")
    said = text(ann.get(f"/exercises/{SOFTMAX}"))
    assert "They stay closed until your class’s results are out." in said
    assert "Open hint" not in said


@pytest.mark.parametrize(
    ("feedback", "statuses"),
    [("full", [200, 200, 200]), ("visible", [409, 200, 200]), ("count", [409, 409, 200])],
)
def test_random_inputs_tell_no_more_of_hidden_tests_than_the_class_does(
    feedback: str, statuses: list[int], visit: Visit, teacher: Teacher
) -> None:
    """A counterexample where all is told; random inputs wherever own ones are there."""
    teacher.give(feedback=feedback)
    ann = joined(teacher, visit, "Ann")
    body = {"source": WRONG.decode()}
    wanted: list[dict[str, object]] = [{"smallest": True}, {"draw": 3}, {}]
    runs = f"/api/exercises/{SOFTMAX}/runs"
    answers = [ann.post(runs, json={**body, **one}) for one in wanted]
    assert [answer.status_code for answer in answers] == statuses
    assert ("shows no more about hidden tests" in answers[0].text) == (feedback != "full")


@pytest.mark.parametrize(("feedback", "told"), [("full", True), ("visible", False)])
def test_a_second_look_is_shown_where_a_class_tells_of_hidden_tests(
    feedback: str, told: bool, visit: Visit, teacher: Teacher
) -> None:
    teacher.give(feedback=feedback)
    ann = joined(teacher, visit, "Ann")
    made = ann.post(f"/api{SUBMIT}", json={"source": REFERENCE.decode()}).json()["submission"]
    about = (SubmissionId(made), Slug(SOFTMAX), "0" * 64, teacher.world.now)
    teacher.world.opened[0]._parts.store.looks.record(SecondLook(*about, None, None))
    state = ann.get(f"/api/submissions/{made}/second-look").json()["state"]
    assert (state != "none") == told


def test_the_due_list_comes_first_on_home_and_progress(visit: Visit, teacher: Teacher) -> None:
    teacher.give(due_at=at(teacher, 2), closes_at=at(teacher, 4), attempts="3")
    ann = joined(teacher, visit, "Ann")
    submitted(ann, WRONG)
    for path in ("/", "/progress"):
        said = text(ann.get(path))
        assert "Due Stable Softmax Due" in said, path
        assert "in 1 day" in said or "in 2 days" in said
        assert "2 tries left" in said
        assert said.index("Stable Softmax") < said.index("passed"), path
        assert 'id="due"' not in visit().get(path).text
    submitted(ann, REFERENCE)
    assert 'id="due"' not in ann.get("/").text


def test_the_name_of_a_reserved_exercise_stands_nowhere_for_others(
    visit: Visit, teacher: Teacher
) -> None:
    teacher.give(reserved="on")
    for path in ("/", "/progress", "/exercises/multi-head-attention"):
        assert SOFTMAX not in visit().get(path).text, path


def code_of(learner: TestClient) -> str:
    """A recovery code of a learner's work."""
    return str(learner.post("/api/recovery/code").json()["code"])


def test_a_friend_s_code_brings_no_passes_within_a_class(visit: Visit, teacher: Teacher) -> None:
    teacher.give()
    ann, ben = joined(teacher, visit, "Ann"), joined(teacher, visit, "Ben")
    submitted(ann, REFERENCE)
    code = code_of(ann)
    answer = ben.post("/api/recovery/use", json={"code": code, "join": True})
    assert answer.status_code == 409
    assert "Ask your instructor to merge them." in answer.json()["title"]
    page = ben.post("/progress/recover", data={"code": code, "how": "join"})
    assert "Ask your instructor to merge them." in text(page)
    assert tries(ben) == 0
    assert "joining two seats refused" in teacher.get("/settings")


def test_what_a_learner_brings_along_stands_in_the_log(visit: Visit, teacher: Teacher) -> None:
    teacher.give()
    ann, home = joined(teacher, visit, "Ann"), visit()
    home.get("/")
    submitted(home, REFERENCE)
    answer = home.post("/api/recovery/use", json={"code": code_of(ann), "join": True})
    assert answer.status_code == 200
    assert "10 of 10" in text(ann.get(teacher.base))
    assert "work brought along" in teacher.get("/settings")
