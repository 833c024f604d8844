"""What is no request, and sources that no editor would send: words or a verdict, never a 500."""

from __future__ import annotations

import json

import pytest
from starlette.testclient import TestClient

from tests.web.server import Server
from tests.web.test_api import API
from tests.web.test_pages import MHA

JSON = {"content-type": "application/json"}
FORM = {"content-type": "application/x-www-form-urlencoded"}
DEF = "def multi_head_attention(Q, K, V, num_heads):\n    return Q"


@pytest.mark.parametrize(
    "written",
    ['"\\u0000"', '"\\ud800"', '"# \\udfff\\n"', f'"{"(" * 9000}"', '"x = \\u0000 1"'],
    ids=["nul", "surrogate", "surrogate in a comment", "nested", "nul inside"],
)
def test_odd_characters_in_json_get_a_verdict(jailed: Server, written: str) -> None:
    body = b'{"html": true, "source": ' + written.encode() + b"}"
    answer = jailed.ask("POST", f"{API}/submissions", body, JSON)
    assert answer.status == 201
    assert answer.json["verdict"] == "syntax_error"
    assert "\ud800" not in answer.json["html"] and "\x00" not in answer.json["html"]


@pytest.mark.parametrize("written", [b"%00", b"%ED%A0%80", b"%FF%FE", b"%F0%28%8C%28"])
def test_odd_bytes_in_a_form_get_a_verdict(jailed: Server, written: bytes) -> None:
    body = b"source=x+%3D+1%0D%0A" + written
    posted = jailed.ask("POST", f"{MHA}/submissions", body, FORM)
    assert posted.status == 303
    page = jailed.ask("GET", posted.headers["location"].split("#")[0])
    text = page.body.decode("utf-8")
    assert page.status == 200 and "Not run" in text


@pytest.mark.parametrize(
    ("source", "verdict"),
    [
        ("", "policy_error"),
        ("   \n", "policy_error"),
        ("x = 1", "policy_error"),
        ("import os\n" + DEF, "policy_error"),
        ("# " + "x" * 70_000, "policy_error"),
        ("def multi_head_attention(Q):\n    return Q", "runtime_error"),
        (DEF.replace("Q", "q", 0).replace("return Q", "return None"), "wrong_answer"),
        ("%matplotlib inline\n" + DEF, "syntax_error"),
    ],
)
def test_each_kind_of_source_gets_its_verdict(jailed: Server, source: str, verdict: str) -> None:
    answer = jailed.post(f"{API}/submissions", {"source": source, "html": True})
    assert answer.status == 201 and answer.json["verdict"] == verdict
    assert answer.json["message"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422),
        (b"{", 400),
        (b"\xff\xfe", 400),
        (b"[" * 100_000, 400),
        (b'{"source": ' + b"1" * 10_000 + b"}", 400),
        (b"null", 422),
        (b"[]", 422),
        (b'"text"', 422),
        (b"{}", 422),
        (b'{"source": 1}', 422),
        (b'{"source": null}', 422),
        (b'{"source": "", "html": "perhaps"}', 422),
        (b'{"source": "", "html": NaN}', 422),
    ],
)
def test_a_body_that_is_none_is_refused_in_words(
    client: TestClient, body: bytes, status: int
) -> None:
    answer = client.post(f"{API}/submissions", content=body, headers=JSON)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["detail"]


def test_what_was_sent_is_not_sent_back(client: TestClient) -> None:
    body = json.dumps({"source": {"deep": "<script>\ud800"}}).encode()
    answer = client.post(f"{API}/runs", content=body, headers=JSON)
    assert answer.status_code == 422 and b"script" not in answer.content


def test_odd_keys_of_an_object_are_passed_over(client: TestClient) -> None:
    body = b'{"source": "", "\\ud800": 1, "more": {"a": []}}'
    assert client.post(f"{API}/runs", content=body, headers=JSON).status_code == 200


def test_a_form_in_place_of_json_says_what_to_send(client: TestClient) -> None:
    answer = client.post(f"{API}/submissions", data={"source": DEF})
    assert answer.status_code == 422 and "application/json" in answer.json()["detail"]


@pytest.mark.parametrize("path", [f"{API}/submissions", f"{MHA}/submissions"])
def test_a_body_over_512_kib_is_refused(jailed: Server, path: str) -> None:
    answer = jailed.ask("POST", path, b"source=" + b"x" * (512 * 1024), JSON | FORM)
    assert answer.status == 413 and b"512 KiB" in answer.body


def test_a_body_of_unknown_length_is_refused_when_it_grows_too_long(jailed: Server) -> None:
    chunks = (b"x" * 65_536 for _ in range(20))
    answer = jailed.ask("POST", f"{API}/runs", chunks, JSON)  # type: ignore[arg-type]
    assert answer.status == 413


@pytest.mark.parametrize("path", ["/exercises/%00", "/exercises/%FF%ED%A0%80", "/submissions/%00"])
def test_odd_addresses_are_not_found(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_arguments_and_answers_with_odd_characters_get_a_sentence(jailed: Server) -> None:
    own = jailed.post(f"{API}/runs", {"source": DEF, "arguments": "\ud800\x00"})
    assert own.status == 422 and own.json["title"]
    told = jailed.post(f"{API}/follow-ups", {"number": 1, "text": "\ud800\x00"})
    assert told.status == 200 and told.json["outcome"] == "unreadable"
    named = jailed.ask("PUT", "/api/name", b'{"name": "\\ud800"}', JSON)
    assert named.status == 200 and named.json == {"name": "\ufffd"}
