"""A button that is pressed twice, or in two tabs at once, does its work once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from starlette.testclient import TestClient

from app.model.classes import ClassId
from tests.service.world import WRONG
from tests.web.teacher import SOFTMAX, Teacher, Visit, joined, submitted


def at_once(teacher: Teacher, visit: Visit, path: str, **fields: str) -> list[int]:
    """The answers to four presses of a button, in tabs of one browser."""
    gate = Barrier(4)
    tabs: list[TestClient] = [visit() for _ in range(4)]
    for tab in tabs:
        tab.cookies.update(teacher.client.cookies)

    def press(tab: TestClient) -> int:
        gate.wait()
        return tab.post(teacher.base + path, data=fields, follow_redirects=False).status_code

    with ThreadPoolExecutor(4) as hands:
        return sorted(hands.map(press, tabs))


@pytest.fixture
def changed(teacher: Teacher, visit: Visit) -> Iterator[Teacher]:
    """A class with a try that was judged before the exercise changed."""
    teacher.give()
    submitted(joined(teacher, visit, "Ann"), WRONG)
    cases = teacher.world.folders[0] / SOFTMAX / "cases.py"
    before = cases.read_bytes()
    cases.write_bytes(before + b"# changed\n")
    yield teacher
    cases.write_bytes(before)


def test_a_regrade_is_begun_and_dropped_once(changed: Teacher, visit: Visit) -> None:
    start = {"do": "start", "exercise": SOFTMAX, "reason": "a case was wrong"}
    assert at_once(changed, visit, "/grades/regrade", **start) == [303] * 4
    (begun,) = changed.school.regrading.open(ClassId(changed.id))
    assert begun.tries == 1
    ended = at_once(changed, visit, "/grades/regrade", do="drop", regrade=begun.id)
    assert ended == [303] * 4
    entries = changed.school.classes.audit(ClassId(changed.id))
    actions = [entry.action for entry in entries if "regrade" in entry.action]
    assert actions == ["regrade dropped", "regrade started"]


def test_a_regrade_without_an_older_try_is_refused_in_words(teacher: Teacher) -> None:
    teacher.give()
    said = teacher.post("/grades/regrade", 409, do="start", exercise=SOFTMAX, reason="")
    assert "No try of this exercise is from before its last change." in said


def test_a_newcomer_who_presses_join_twice_is_in_once(teacher: Teacher, visit: Visit) -> None:
    newcomer = visit()
    newcomer.get(f"/join/{teacher.code}")
    gate = Barrier(3)
    tabs: list[TestClient] = [visit() for _ in range(3)]
    for tab in tabs:
        tab.cookies.update(newcomer.cookies)

    def press(tab: TestClient) -> int:
        gate.wait()
        return tab.post(f"/join/{teacher.code}", data={"name": "Ann"}).status_code

    with ThreadPoolExecutor(3) as hands:
        assert list(hands.map(press, tabs)) == [303] * 3
    assert list(teacher.seats()) == ["Ann"]
    assert len(teacher.school.people.all(ClassId(teacher.id))) == 1
