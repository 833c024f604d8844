"""A class over HTTP, without script: from the first password to the filled campus file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape

import pytest

from app.model import LearnerId
from app.ports.operating import DifferingView, Operations, ParkedView, RunnerView
from tests.service.world import REFERENCE, WRONG, World
from tests.web.teacher import FORM, SOFTMAX, Teacher, Visit, joined, submitted, text

# ------------------------------------------------------------------ signing in


def test_a_page_of_staff_sends_to_sign_in_and_back(visit: Visit, teacher: Teacher) -> None:
    stranger = visit()
    answer = stranger.get(teacher.base + "/grades", follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/staff/sign-in?next={teacher.base}/grades"
    where = {"login": "eva", "password": "correct horse", "next": teacher.base + "/grades"}
    signed = stranger.post("/staff/sign-in", data=where, follow_redirects=False)
    assert signed.headers["location"] == teacher.base + "/grades"
    cookie = signed.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


@pytest.mark.parametrize("next", ["//evil.example", "https://evil.example", "/\\evil.example"])
def test_signing_in_leads_to_no_other_site(visit: Visit, teacher: Teacher, next: str) -> None:
    data = {"login": "eva", "password": "correct horse", "next": next}
    answer = visit().post("/staff/sign-in", data=data, follow_redirects=False)
    assert answer.headers["location"] == "/classes"


def test_a_wrong_password_is_told_in_one_sentence_and_the_sixth_waits(
    visit: Visit, teacher: Teacher
) -> None:
    stranger = visit()
    data = {"login": "eva", "password": "wrong"}
    for _ in range(5):
        answer = stranger.post("/staff/sign-in", data=data)
        assert answer.status_code == 403
        assert "This login and password don’t match." in text(answer)
    answer = stranger.post("/staff/sign-in", data={**data, "password": "correct horse"})
    assert answer.status_code == 429
    assert "Five tries in a minute is the limit." in text(answer)


def test_signing_out_ends_the_session(teacher: Teacher) -> None:
    teacher.client.post("/staff/sign-out")
    answer = teacher.client.get(teacher.board, follow_redirects=False)
    assert answer.status_code == 303


def test_a_used_link_says_so(visit: Visit, teacher: Teacher) -> None:
    answer = visit().get("/staff/link/nothing")
    assert answer.status_code == 404
    assert "This link has been used, or is too old." in text(answer)


def test_the_host_makes_accounts(visit: Visit, teacher: Teacher) -> None:
    answer = teacher.client.post(
        "/staff/accounts", data={"do": "add", "login": "fred", "name": "Fred"}
    )
    link = re.search(r"/staff/link/[\w-]+", answer.text)
    assert link is not None
    fred = visit()
    fred.post(link[0], data={"login": "fred", "name": "Fred", "password": "another horse"})
    assert fred.get("/staff/accounts").status_code == 404
    assert fred.get(teacher.board).status_code == 404
    assert "No class yet" in text(fred.get("/classes"))


# ------------------------------------------------------------------ joining


def test_an_empty_board_shows_the_code(teacher: Teacher) -> None:
    page = teacher.client.get(teacher.board)
    said = text(page)
    assert "Nobody is here yet." in said
    assert f"{teacher.code[:5]} {teacher.code[5:]}".lower() in said
    assert '<svg class="qr"' in page.text or 'class="qr"' in page.text


def test_joining_takes_one_click_and_happens_once(visit: Visit, teacher: Teacher) -> None:
    learner = joined(teacher, visit, "Ann Lee")
    assert "Nothing is due yet." in text(learner.get(teacher.base))
    again = learner.get(f"/join/{teacher.code.lower()}", follow_redirects=False)
    assert (again.status_code, again.headers["location"]) == (303, teacher.base)
    assert list(teacher.seats()) == ["Ann Lee"]


def test_a_wrong_code_asks_for_another(visit: Visit, teacher: Teacher) -> None:
    answer = visit().get("/join/WRONG")
    assert answer.status_code == 404
    assert "No class has this code." in text(answer)
    typed = f"{teacher.code[:5]} {teacher.code[5:]}".lower()
    found = visit(follow_redirects=True).get("/join", params={"code": typed})
    assert "Join Deep Learning" in text(found)


def test_right_codes_work_after_many_wrong_ones(visit: Visit, teacher: Teacher) -> None:
    stranger = visit()
    for _ in range(20):
        assert stranger.get("/join/WRONG").status_code == 404
    assert stranger.get("/join/WRONG").status_code == 429
    joined(teacher, visit, "Ann")


def test_an_empty_name_is_told_at_its_field(visit: Visit, teacher: Teacher) -> None:
    answer = visit().post(f"/join/{teacher.code}", data={"name": " "})
    assert answer.status_code == 422
    assert "Write your name" in text(answer)


def test_a_seat_code_seats_another_browser(visit: Visit, teacher: Teacher) -> None:
    joined(teacher, visit, "Ann")
    page = teacher.client.post(
        f"{teacher.base}/people/{teacher.seats()['Ann']}", data={"do": "seat"}
    )
    seat = re.search(r">([0-9a-z]{4}-[0-9a-z]{4})<", page.text)
    assert seat is not None
    other = visit()
    answer = other.post("/join/seat", data={"seat": seat[1]}, follow_redirects=False)
    assert answer.headers["location"] == teacher.base
    used = visit().post("/join/seat", data={"seat": seat[1], "code": teacher.code})
    assert used.status_code == 404
    assert "We don't know this seat code." in text(used)


def test_leaving_ends_the_cookie_and_clears_the_browser(visit: Visit, teacher: Teacher) -> None:
    learner = joined(teacher, visit, "Ann")
    assert learner.get(teacher.base).status_code == 200
    answer = learner.post("/leave", follow_redirects=False)
    assert answer.headers["clear-site-data"] == '"storage"'
    assert "Max-Age=0" in answer.headers["set-cookie"]
    learner.cookies.clear()
    assert learner.get(teacher.base).status_code == 404


def test_a_learner_takes_their_data_along_and_asks_to_be_deleted(
    visit: Visit, teacher: Teacher
) -> None:
    learner = joined(teacher, visit, "Ann")
    assert learner.get("/me/export.zip").content[:2] == b"PK"
    answer = learner.post("/me/delete", data={"sure": "yes"})
    assert "Your instructors have your request." in text(answer)
    assert "asks to be deleted" in teacher.get("/people")
    seat = teacher.seats()["Ann"]
    teacher.post(f"/people/{seat}", do="delete", sure="yes")
    assert learner.get(teacher.base).status_code == 404


# ------------------------------------------------------------------ a lesson


def test_an_assignment_is_moved_up_on_every_list(visit: Visit, teacher: Teacher) -> None:
    teacher.give()
    teacher.post("/assignments/new", 303, **{**FORM, "exercise": "multi-head-attention"})

    def order() -> list[str]:
        return [str(one.exercise) for one in teacher.school.assignments.all(teacher.id)]  # type: ignore[arg-type]

    first, second = teacher.school.assignments.all(teacher.id)  # type: ignore[arg-type]
    assert order() == ["stable-softmax", "multi-head-attention"]
    assert teacher.get("/assignments").count("Move up") == 1
    where = teacher.post(f"/assignments/{second.id}", 303, do="up")
    assert where == f"{teacher.base}/assignments"
    assert order() == ["multi-head-attention", "stable-softmax"]
    learner = joined(teacher, visit, "Ann Lee")
    page = text(learner.get(teacher.base))
    assert page.index("Multi-Head Attention") < page.index("Stable Softmax")
    teacher.post(f"/assignments/{second.id}", 303, do="up")
    assert order() == ["multi-head-attention", "stable-softmax"]
    assert first.policy == teacher.school.assignments.one(teacher.id, first.id).policy  # type: ignore[arg-type]


def test_a_lesson_from_the_assignment_to_the_campus_file(visit: Visit, teacher: Teacher) -> None:
    given = teacher.give()
    assert "−10 % a day until 11 Dec" in teacher.get("/assignments")
    ann, ben = joined(teacher, visit, "Ann Lee"), joined(teacher, visit, "Ben Abel")
    submitted(ann, REFERENCE)
    submitted(ben, WRONG)
    board = teacher.get("/board")
    assert "Passed 1 Trying 1 Not begun 0" in board
    assert "2 learners" in board
    assert "10.0" in teacher.get("/grades")
    assert "10 of 10" in text(ann.get(teacher.base))
    seats = teacher.seats()
    cell = f"/grades/cell/{given}/{seats['Ben Abel']}"
    assert "Tests passed" in teacher.get(cell)
    teacher.post(
        "/grades/override", assignment=given, enrolment=seats["Ben Abel"], points="7.5",
        reason="seen in the lab", note="well argued",
    )  # fmt: skip
    opened = teacher.get(cell)
    assert "seen in the lab" in opened
    assert "well argued" in text(ben.get(teacher.base))
    assert "seen in the lab" not in text(ben.get(teacher.base))
    csv = teacher.client.get(teacher.base + "/grades.csv?system=plain").text
    assert "Ann Lee,,,,10.00,10.00,10.00" in csv
    filled = teacher.client.post(
        teacher.base + "/grades/fill",
        files={"file": ("campus.csv", b'Student,Stable Softmax (7)\r\n"Lee, Ann",\r\nZoe,3\r\n')},
    )
    assert "1 of 2 learners matched, 1 of 1 columns; 1 cell written." in text(filled)
    where = re.search(r'href="(/classes/[^"]+/grades/filled/[^"]+)"', filled.text)
    assert where is not None
    data = teacher.client.get(where[1]).content
    assert data == b'Student,Stable Softmax (7)\r\n"Lee, Ann",10.00\r\nZoe,3\r\n'
    person = teacher.get(f"/people/{seats['Ben Abel']}")
    assert "wrong answer" in person
    tries = re.search(
        r'href="(/classes/[^"]+/tries/[^"]+)"',
        teacher.client.get(f"{teacher.base}/people/{seats['Ben Abel']}").text,
    )
    assert tries is not None
    assert "def softmax" in text(teacher.client.get(tries[1]))
    for path in ("/settings", "/similar", "/people", f"/assignments/{given}"):
        teacher.get(path)
    assert "override set" in teacher.get("/settings")


def test_an_extension_is_given_and_taken_back(visit: Visit, teacher: Teacher) -> None:
    given = teacher.give()
    ann = joined(teacher, visit, "Ann")
    seat = teacher.seats()["Ann"]
    where = f"/people/{seat}/extension"
    assert "Give a date or tries" in teacher.post(where, 422, assignment=given)
    teacher.post(where, assignment=given, due_at="2026-12-20T12:00", note="get well")
    said = text(ann.get(teacher.base))
    assert "Due Sun 20 Dec, 12:00 (Berlin)." in said
    assert "get well" in said
    teacher.post(where, assignment=given, do="take back")
    assert "Due Fri 4 Dec, 23:59" in text(ann.get(teacher.base))


def test_a_stricter_rule_asks_first_and_names_who_loses(visit: Visit, teacher: Teacher) -> None:
    given = teacher.give()
    joined_ann = joined(teacher, visit, "Ann")
    submitted(joined_ann, REFERENCE)
    form = {**FORM, "title": "Softmax", "points": "8"}
    asked = teacher.post(f"/assignments/{given}", 200, **form)
    assert "1 learner loses points." in asked
    assert "Ann 10 → 8" in asked
    assert "10.0" in teacher.get("/grades")
    teacher.post(f"/assignments/{given}", 303, **form, sure="yes")
    assert "8.0" in teacher.get("/grades")


def test_a_form_that_is_off_says_all_of_it_at_once(teacher: Teacher) -> None:
    said = teacher.post(
        "/assignments/new", 422, **{**FORM, "points": "0", "due_at": "soon", "late_share": "200"}
    )
    assert "more than 0" in said
    assert "Write a date and a time" in said
    assert "between 0 and 100" in said


def test_the_sentence_is_there_while_one_types(teacher: Teacher) -> None:
    answer = teacher.client.post(teacher.base + "/assignments/preview", data=FORM)
    assert answer.json()["sentence"].startswith("Due Fri 4 Dec, 23:59 (Berlin).")


def test_a_roster_is_shown_before_it_is_applied(teacher: Teacher) -> None:
    file = {"roster": ("roster.csv", b"name,student_id\nAnn Lee,s1\n,s2\n")}
    answer = teacher.client.post(teacher.base + "/people/upload", files=file)
    said = text(answer)
    assert "Line 3 has no name." in said
    assert teacher.seats() == {}
    token = re.search(r'name="token" value="([^"]+)"', answer.text)
    assert token is not None
    teacher.post("/people/apply", token=token[1])
    assert list(teacher.seats()) == ["Ann Lee"]
    bad = {"roster": ("roster.csv", b"colour\nred\n")}
    answer = teacher.client.post(teacher.base + "/people/upload", files=bad)
    assert (answer.status_code, "names no column we know" in text(answer)) == (422, True)


def test_the_board_is_told_when_something_changed(visit: Visit, teacher: Teacher) -> None:
    url = teacher.base + "/board.json"
    stamp = teacher.client.get(url, params={"wait": 0}).json()["stamp"]
    joined(teacher, visit, "Ann")
    teacher.world.wait(seconds=2)
    found = teacher.client.get(url, params={"since": stamp, "wait": 5}).json()
    assert found["changed"]


def test_without_a_script_the_board_comes_again_by_itself(teacher: Teacher) -> None:
    page = teacher.client.get(teacher.board).text
    assert '<noscript><meta http-equiv="refresh" content="10"></noscript>' in page


def test_a_projected_board_holds_no_name(visit: Visit, teacher: Teacher) -> None:
    teacher.give()
    ann = joined(teacher, visit, "Ann Lee")
    submitted(ann, WRONG)
    page = teacher.client.get(teacher.board + "?names=hidden").text
    assert "Learner 1" in page
    assert "Ann" not in page
    assert teacher.seats()["Ann Lee"] not in page
    joined(teacher, visit, "Aaron")
    teacher.world.wait(seconds=2)
    again = teacher.client.get(teacher.board + "?names=hidden").text
    rows = re.findall(r"Learner \d", again)
    assert rows[0] == "Learner 1"  # Ann tries and stays the first, whoever comes after her
    assert sorted(set(rows)) == ["Learner 1", "Learner 2"]


def test_staff_look_from_a_preview_seat_and_are_on_no_board(teacher: Teacher) -> None:
    teacher.give()
    answer = teacher.client.post(teacher.base + "/preview")
    assert "You are looking from a preview seat" in text(answer)
    workbench = teacher.client.get(f"/exercises/{SOFTMAX}").text
    banner = workbench[workbench.index('class="in-class"') : workbench.index("<main")]
    assert "Due Fri 4 Dec, 23:59 (Berlin). After that −10 % a day until 11 Dec." in banner
    assert "10 points" in banner
    assert "preview: nothing counts" in banner
    submitted(teacher.client, WRONG)
    assert "Nobody is here yet." in teacher.get("/board")


# ------------------------------------------------------------------ rules


def test_the_last_try_is_the_last(visit: Visit, teacher: Teacher) -> None:
    teacher.give(attempts="1")
    ann = joined(teacher, visit, "Ann")
    submitted(ann, WRONG)
    answer = ann.post(f"/api/exercises/{SOFTMAX}/submissions", json={"source": "x = 2"})
    assert answer.status_code == 409
    assert "You have used all tries" in answer.json()["title"]


def test_a_reserved_exercise_is_nowhere_for_others(visit: Visit, teacher: Teacher) -> None:
    teacher.give(reserved="on")
    ann = joined(teacher, visit, "Ann")
    stranger = visit()
    for path in (
        f"/exercises/{SOFTMAX}",
        f"/api/exercises/{SOFTMAX}",
        f"/exercises/{SOFTMAX}/{SOFTMAX}.zip",
        f"/exercises/{SOFTMAX}/hints",
    ):
        assert stranger.get(path, follow_redirects=False).status_code == 404, path
    for path in ("/", "/api/exercises", "/progress"):
        assert SOFTMAX not in stranger.get(path).text, path
    sent = {"source": "x = 1"}
    for what in ("submissions", "runs"):
        answer = stranger.post(f"/api/exercises/{SOFTMAX}/{what}", json=sent)
        assert answer.status_code == 404, what
    assert stranger.post(f"/api/exercises/{SOFTMAX}/solution").status_code == 404
    assert ann.get(f"/exercises/{SOFTMAX}").status_code == 200
    assert SOFTMAX in ann.get("/").text


def test_an_exam_tells_nothing_of_hidden_tests_on_any_route(visit: Visit, teacher: Teacher) -> None:
    """Every route of a learner, and none of what the whole report says of hidden tests."""
    teacher.give(feedback="none", reserved="on")
    ann = joined(teacher, visit, "Ann")
    answer = ann.post(
        f"/api/exercises/{SOFTMAX}/submissions", json={"source": WRONG.decode(), "html": True}
    )
    found = answer.json()
    kept = teacher.school.grades  # the whole report, for staff
    seat = teacher.seats()["Ann"]
    whole = kept.submission(teacher.id, seat, found["submission"]).report  # type: ignore[arg-type]
    assert whole is not None
    hidden = [test for test in whole["tests"] if not test["visible"]]  # type: ignore[attr-defined]
    canaries = {str(test["message"]) for test in hidden if test["message"]}
    canaries |= {str(whole["message"])}
    assert canaries
    name = found["submission"]
    pages = {
        path: ann.get(path).text
        for path in (
            f"/submissions/{name}",
            f"/submissions/{name}/report.json",
            f"/api/submissions/{name}?html=true",
            f"/exercises/{SOFTMAX}",
            f"/api/exercises/{SOFTMAX}/submissions",
            "/progress",
            "/api/progress",
            "/",
            teacher.base,
        )
    }
    pages["submit"] = answer.text
    for path, body in pages.items():
        for canary in canaries:
            visible = {str(t["message"]) for t in whole["tests"] if t["visible"]}  # type: ignore[attr-defined]
            if canary not in visible:
                assert canary not in unescape(body), path
    assert found["verdict"] in ("not_shown", "wrong_answer")
    hint = ann.post(f"/api/exercises/{SOFTMAX}/hints", json={"number": 1})
    assert hint.status_code == 409
    assert ann.post(f"/api/exercises/{SOFTMAX}/solution").status_code == 409
    own = ann.post(f"/api/exercises/{SOFTMAX}/runs", json={"source": "x = 1", "arguments": "[1.0]"})
    assert own.status_code == 409
    assert "not out yet" in text(ann.get(teacher.base)) or "– of 10" in text(ann.get(teacher.base))


def test_a_joined_learner_s_old_cookie_opens_the_same_history(visit: Visit, world: World) -> None:
    old, new = visit(), visit()
    old.get(f"/exercises/{SOFTMAX}")
    submitted(old, WRONG)
    service = world.opened[0]
    ids = {line.learner for line in service._parts.store.submissions.export()}
    (gone,) = ids
    service._parts.store.learners.join(gone, LearnerId("kept"), world.now)
    service._door.forget_learners()
    world.wait(seconds=3)
    answer = old.get(f"/api/exercises/{SOFTMAX}/submissions")
    assert len(answer.json()["submissions"]) == 1
    assert "set-cookie" in answer.headers
    assert new.get(f"/api/exercises/{SOFTMAX}/submissions").json()["submissions"] == []


def test_the_rule_stands_above_the_code_and_the_tries_left_beside_submit(
    visit: Visit, teacher: Teacher
) -> None:
    teacher.give(attempts="2", hint_share="5")
    ann = joined(teacher, visit, "Ann Lee")
    page = ann.get(f"/exercises/{SOFTMAX}").text
    assert "Due Fri 4 Dec, 23:59 (Berlin)." in page
    assert "Each hint costs 5 %." in page
    assert "2 tries left" in page
    submitted(ann, REFERENCE)
    after = ann.get(f"/exercises/{SOFTMAX}").text
    assert "<b>last try</b>" in after
    assert "yours: 10" in after
    assert "in-class" not in visit().get(f"/exercises/{SOFTMAX}").text


def test_the_head_of_every_page_names_who_is_there(visit: Visit, teacher: Teacher) -> None:
    ann = joined(teacher, visit, "Ann Lee")
    for path in ("/", f"/exercises/{SOFTMAX}", "/progress", teacher.base):
        page = ann.get(path).text
        assert "<b>Ann Lee</b> · Deep Learning" in page, path
        assert "Not you?" in page, path
    assert "<b>Eva Berg</b> · instructor" in teacher.client.get(teacher.board).text
    assert 'class="who"' not in visit().get("/").text


def test_the_host_sees_the_machines_and_tries_again(
    visit: Visit, teacher: Teacher, world: World
) -> None:
    did: list[object] = []
    runner = RunnerView("runner:8100", "10.0.0.7", 4, 1, 2, "gave what is no answer", True)
    at = datetime(2026, 11, 29, tzinfo=UTC)
    parked = ParkedView("0123", 5, "reference.py is <broken>", "runner:8100", at)

    def let_in(name: str, address: str) -> bool:
        did.append((name, address))
        return True

    def retry(only: Sequence[str] | None) -> tuple[str, ...]:
        did.append(only)
        return ()

    world.opened[-1]._parts = replace(
        world.opened[-1]._parts,
        operations=Operations(
            lambda: (runner,),
            let_in,
            lambda: (parked,),
            retry,
            lambda: (DifferingView("0456", "odd", "one: accepted; two: <wrong>", at),),
        ),
    )
    page = teacher.client.get("/staff/operator").text
    assert "runner:8100" in page and "gave what is no answer" in page
    assert "reference.py is &lt;broken&gt;" in page and "0123" in page
    assert "one: accepted; two: &lt;wrong&gt;" in page and "0456" in page
    assert "one runner is contradicted by two others" in page
    again = {"do": "let in", "runner": "runner:8100", "address": "10.0.0.7"}
    for data in (again, {"do": "retry", "submission": "0123"}, {"do": "retry all"}):
        answer = teacher.client.post("/staff/operator", data=data, follow_redirects=False)
        assert answer.status_code == 303
    assert did == [("runner:8100", "10.0.0.7"), ["0123"], None]
    assert visit().get("/staff/operator", follow_redirects=False).status_code == 303


def test_a_server_alone_says_that_it_runs_the_code_itself(teacher: Teacher) -> None:
    page = text(teacher.client.get("/staff/operator"))
    assert "Learners' code runs on this machine" in page.replace("’", "'")
    assert "Everything was judged." in page
    assert "No two runners have given a submission different verdicts." in page
    assert 'href="/staff/operator"' in teacher.client.get("/classes").text
