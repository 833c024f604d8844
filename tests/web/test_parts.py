"""The page fetches what all reports share from addresses that may be kept for ever."""

from __future__ import annotations

import gzip
import html
import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.service.world import EXERCISES, World
from tests.web.teacher import SOFTMAX, Teacher, Visit, joined

MHA = "multi-head-attention"
REFERENCE = (EXERCISES / MHA / "reference.py").read_text()
DRAWN = ("arguments", "expected", "got", "mismatch", "cpu_ms")


@pytest.fixture
def teacher(visit: Visit, world: World) -> Teacher:
    visit()
    return Teacher(visit, world)


def told(client: TestClient, source: str, slug: str = MHA, **asked: object) -> dict[str, Any]:
    body = {"source": source, "html": True, **asked}
    answer = client.post(f"/api/exercises/{slug}/submissions", json=body)
    assert answer.status_code == 201
    return dict(answer.json())


def addresses(report: dict[str, Any]) -> dict[str, list[str]]:
    """The addresses behind the buttons of a report, by what they copy."""
    found: dict[str, list[str]] = {}
    button = r'data-copy-at="([^"]+)".*?</svg>([^<]+)</button>'
    for address, label in re.findall(button, report["html"], re.DOTALL):
        found.setdefault(label, []).append(html.unescape(address))
    return found


def test_an_accepted_submission_sends_the_page_little(client: TestClient) -> None:
    body = {"source": REFERENCE, "html": True, "apart": True}
    answer = client.post(f"/api/exercises/{MHA}/submissions", json=body)
    assert answer.json()["verdict"] == "accepted"
    assert len(gzip.compress(answer.content, 5)) <= 2_500


def test_a_report_that_is_not_asked_for_apart_is_whole(client: TestClient) -> None:
    whole, apart = told(client, REFERENCE), told(client, REFERENCE, apart=True)
    for one, other in zip(whole["tests"], apart["tests"], strict=True):
        assert {**one, **dict.fromkeys(DRAWN)} == other
    assert whole["tests"][0]["arguments"] is not None
    assert addresses(whole) == {}
    again = client.get(f"/api/submissions/{apart['submission']}").json()
    assert again["tests"] == whole["tests"]


def test_what_is_copied_is_what_the_page_would_have_held(client: TestClient) -> None:
    """Fetched under the content's hash, public and for ever; the same for each submission."""
    whole = told(client, REFERENCE)
    held = re.findall(
        r'data-copy="([^"]+)".*?</svg>(Copy [^<]+)</button>', whole["html"], re.DOTALL
    )
    apart = told(client, REFERENCE + "# another\n", apart=True)
    texts = {html.unescape(text) for text, _ in held}
    for label in ("Copy arguments", "Copy expected"):
        assert addresses(apart)[label]
        for address in addresses(apart)[label]:
            answer = client.get(address)
            assert answer.text in texts, address
            assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert addresses(told(client, REFERENCE, apart=True)) == addresses(apart)


def test_what_the_code_returned_is_its_learners_alone(client: TestClient, visit: Visit) -> None:
    wrong = REFERENCE.replace("return ", "return 2 * ", 1)
    apart = told(client, wrong, apart=True)
    own = [one for one in addresses(apart)["Copy yours"] if one.startswith("/submissions/")]
    assert own
    answer = client.get(own[0])
    assert answer.text.startswith("np.array(")
    assert answer.headers["cache-control"] == "private, no-cache"
    assert visit().get(own[0]).status_code == 404


def test_an_address_opens_nothing_under_another_name(client: TestClient) -> None:
    address = addresses(told(client, REFERENCE, apart=True))["Copy expected"][0]
    assert client.get(address).status_code == 200
    for other in (
        address.replace(MHA, SOFTMAX),
        address.replace("-.py", "x.py"),
        re.sub(r"/parts/..", "/parts/00", address),
        re.sub(r"/parts/..", "/parts/zz", address),
    ):
        assert client.get(other).status_code == 404, other


@pytest.mark.parametrize("feedback", ["full", "none"])
def test_a_reserved_exercise_gives_its_parts_to_its_class_alone(
    visit: Visit, teacher: Teacher, feedback: str
) -> None:
    teacher.give(exercise=MHA, reserved="on", feedback=feedback)
    ann = joined(teacher, visit, "Ann")
    report = told(ann, REFERENCE, apart=True)
    for address in addresses(report).get("Copy arguments", []):
        answer = ann.get(address)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"
        assert visit().get(address).status_code == 404
    assert addresses(report).get("Copy arguments"), "a visible test's arguments are told to all"
