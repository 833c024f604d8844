"""API."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from app.sandbox.offered_names import offered_names
from app.web.session import COOKIE
from tests.service.world import World
from tests.web.test_forms import MERGE
from tests.web.test_pages import REFERENCE, WRONG

API = "/api/exercises/multi-head-attention"


def test_a_submission_is_answered_with_its_report(client: TestClient) -> None:
    answer = client.post(f"{API}/submissions", json={"source": MERGE})
    report = answer.json()
    assert answer.status_code == 201
    assert (report["format"], report["verdict"], report["passed"]) == (1, "wrong_answer", 2)
    assert [t["visible"] for t in report["tests"]] == [True, True, False, False, False, False]
    assert answer.headers["location"] == f"/api/submissions/{report['submission']}"
    assert "html" not in report


def test_it_is_read_again_by_cookie_or_by_its_token(
    client: TestClient, visit: Callable[..., TestClient]
) -> None:
    report = client.post(f"{API}/submissions", json={"source": WRONG}).json()
    address = f"/api/submissions/{report['submission']}"
    assert client.get(address).json()["source"] == WRONG
    stranger = visit()
    assert stranger.get(address).status_code == 404
    assert stranger.get(address, params={"read_token": "x" * 22}).status_code == 404
    mine = stranger.get(address, params={"read_token": report["read_token"]})
    assert mine.status_code == 200 and mine.json()["tests"] == report["tests"]


def test_html_is_the_same_report_as_the_page(client: TestClient) -> None:
    answer = client.post(f"{API}/submissions", json={"source": MERGE, "html": True}).json()
    page = client.get(f"/submissions/{answer['submission']}").text
    assert '<p class="vh" role="status">2 of 6 test cases passed. Every number' in answer["html"]
    rows = answer["html"].split('<ol class="tests">')[1].split("</ol>")[0]
    assert rows in page


def test_hidden_cases_give_no_values(client: TestClient) -> None:
    answer = client.post(f"{API}/submissions", json={"source": MERGE, "html": True}).json()
    for test in answer["tests"][2:]:
        assert (test["got"], test["expected"], test["arguments"]) == (None, None, None)
    hidden = answer["html"].split('<li style="--i:2">')[1].split('<li style="--i:3">')[0]
    assert "<td>" not in hidden and 'class="off-cell"' in hidden
    assert "Where the output is wrong: 90 of 105 cells" in hidden


def test_a_run_records_nothing(client: TestClient) -> None:
    report = client.post(f"{API}/runs", json={"source": WRONG}).json()
    assert report["submission"] is None
    assert [t["name"] for t in report["tests"]][:2] == ["worked_example", "eight_heads"]
    assert all(t["visible"] and t["expected"] for t in report["tests"])
    assert client.get(f"{API}/submissions").json() == {"submissions": []}
    one = client.post(f"{API}/runs", json={"source": WRONG, "case": "worked_example"}).json()
    assert [t["name"] for t in one["tests"]] == ["worked_example"]
    assert client.post(f"{API}/runs", json={"source": WRONG, "case": "one_head"}).status_code == 404


def test_own_arguments_are_one_test_named_custom(client: TestClient) -> None:
    own = "np.ones((2, 4)), np.ones((2, 4)), np.ones((2, 4)), 2"
    body = {"source": REFERENCE, "arguments": own, "html": True}
    report = client.post(f"{API}/runs", json=body).json()
    assert [t["name"] for t in report["tests"]] == ["custom"]
    assert "Equal to the reference" in report["html"]
    bad = client.post(f"{API}/runs", json={**body, "arguments": "np.ones((2,"})
    assert bad.status_code == 422 and bad.json()["title"]


def test_the_same_key_and_source_give_the_same_submission(client: TestClient) -> None:
    client.get("/exercises/multi-head-attention")

    def sent(source: str, key: str) -> str:
        headers = {"idempotency-key": key}
        answer = client.post(f"{API}/submissions", json={"source": source}, headers=headers)
        return str(answer.json()["submission"])

    first = sent(WRONG, "a")
    assert sent(WRONG, "a") == first
    assert sent(MERGE, "a") != first
    assert sent(WRONG, "k" * 5000) != first


def test_hints_come_in_order_and_can_be_read_again(client: TestClient) -> None:
    early = client.post(f"{API}/hints", json={"number": 2})
    assert early.status_code == 409 and early.json()["next_hint"] == 1
    hint = client.post(f"{API}/hints", json={"number": 1}).json()
    assert hint["title"] == "A nudge" and "<code>0:d_k</code>" in hint["html"]
    assert client.post(f"{API}/hints", json={"number": 1}).json() == hint
    assert client.post(f"{API}/hints", json={"number": 9}).status_code == 404
    assert client.post(f"{API}/hints", json={"number": 0}).status_code == 422


def test_the_solution_opens_after_passing(client: TestClient) -> None:
    assert client.post(f"{API}/solution").status_code == 409
    client.post(f"{API}/submissions", json={"source": REFERENCE})
    solution = client.post(f"{API}/solution").json()
    assert solution["reference"] == REFERENCE
    names = [each["name"] for each in solution["alternatives"]]
    assert "loop_over_heads.py" in names


def test_drafts_are_never_merged(client: TestClient) -> None:
    first = client.put(f"{API}/draft", json={"source": "# a", "device": "one"}).json()
    base = first["opened"]["version"]
    grown = {"source": "# a b", "base": base, "device": "one"}
    assert client.put(f"{API}/draft", json=grown).json()["others"] == []
    client.put(f"{API}/draft", json={"source": "# other", "base": None, "device": "two"})
    kept = client.get(f"{API}/drafts").json()
    assert {kept["opened"]["source"], *(d["source"] for d in kept["others"])} == {
        "# a b",
        "# other",
    }
    version = kept["opened"]["version"]
    assert client.delete(f"{API}/drafts/{version}").status_code == 204
    assert len(client.get(f"{API}/drafts").json()["others"]) == 0


def test_follow_ups_are_compared_and_kept(client: TestClient) -> None:
    off = client.post(f"{API}/follow-ups", json={"number": 1, "text": "3 * d_model"}).json()
    assert off["outcome"] == "off" and off["answer"] == ""
    right = {"number": 1, "text": "4 · d_model²", "html": True}
    told = client.post(f"{API}/follow-ups", json=right).json()
    assert told["outcome"] == "right" and "<code>4 * d_model**2</code>" in told["html"]
    assert client.post(f"{API}/follow-ups", json={"number": 9, "text": "1"}).status_code == 404


def test_a_name_is_tidied_and_a_code_carries_the_work(
    client: TestClient, visit: Callable[..., TestClient]
) -> None:
    assert client.put("/api/name", json={"name": "  Ada \t L. "}).json() == {"name": "Ada L."}
    assert client.put("/api/name", json={"name": "a\u202eb"}).status_code == 422
    client.post(f"{API}/submissions", json={"source": WRONG})
    code = client.post("/api/recovery/code").json()["code"]
    other = visit()
    work = other.post("/api/recovery/look-up", json={"code": code}).json()
    assert (work["name"], work["submissions"]) == ("Ada L.", 1)
    replaced = other.post("/api/recovery/use", json={"code": code}).json()["code"]
    assert replaced != code
    assert other.get("/api/progress").json()["name"] == "Ada L."
    assert other.post("/api/recovery/use", json={"code": code}).status_code == 404


def test_a_link_is_made_once_and_ends_when_it_is_taken_back(
    client: TestClient, visit: Callable[..., TestClient]
) -> None:
    report = client.post(f"{API}/submissions", json={"source": WRONG}).json()
    address = f"/api/submissions/{report['submission']}/share"
    assert visit().post(address).status_code == 404
    url = client.post(address).json()["url"]
    assert url.startswith("http://mlgrind.test/shared/")
    assert client.post(address).json()["url"] == url
    assert visit().get(url).status_code == 200
    assert client.delete(address).status_code == 204
    assert visit().get(url).status_code == 404


def test_the_grader_can_be_reported_with_everything_to_judge_again(client: TestClient) -> None:
    report = client.post(f"{API}/submissions", json={"source": WRONG}).json()
    answer = client.get(f"/submissions/{report['submission']}/report.json")
    assert answer.headers["content-disposition"].startswith('attachment; filename="mlgrind-multi')
    assert answer.json()["source"] == WRONG and "numpy" in answer.json()["versions"]


def test_exercises_are_listed_and_read(client: TestClient) -> None:
    listed = client.get("/api/exercises").json()["exercises"]
    assert "multi-head-attention" in [each["slug"] for each in listed]
    one = client.get(API).json()
    assert one["hints"] == 5 and len(one["tests"]) == 6
    assert one["starter"].startswith("import numpy as np")
    assert "expected" not in one["tests"][0]


def test_a_page_view_leaves_no_learner_behind(client: TestClient, world: World) -> None:
    client.get("/exercises/multi-head-attention")
    client.get("/progress")
    client.post(f"{API}/runs", json={"source": WRONG})
    assert COOKIE in client.cookies
    assert client.get("/api/progress").json()["exercises"][0]["state"] == "new"
    rows = world.opened[0].learners.progress(world.opened[0].learners.new())
    assert all(row.state == "new" for row in rows)


@pytest.mark.parametrize("path", ["/api/submissions/nonsense", f"{API}x", "/api/nothing"])
def test_what_is_not_there_is_a_problem_in_words(client: TestClient, path: str) -> None:
    answer = client.get(path)
    problem = answer.json()
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert problem["status"] == 404 and problem["title"]
    assert problem["request_id"] == answer.headers["x-request-id"]


def test_the_editor_gets_the_names_of_numpy_once_and_keeps_them(
    client: TestClient, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The address changes with the list, so the list may be kept for ever."""
    service = world.opened[0]
    monkeypatch.setattr(service, "exercises", replace(service.exercises, names=offered_names))
    moved = client.get("/api/completions")
    assert moved.status_code == 307
    assert moved.headers["cache-control"] == "no-cache"
    address = moved.headers["location"]
    answer = client.get(address)
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    names = {each["name"]: each for each in answer.json()["names"]}
    assert len(names) > 400
    assert all(isinstance(text, str) for each in names.values() for text in each.values())
    assert client.get("/api/completions/0000000000000000").status_code == 404
