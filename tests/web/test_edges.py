"""The edges of requests: numbers of any length, names not ours, and too much of anything."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.admission import Allowance
from app.config import Settings
from app.model.bounds import DRAFT_BYTES, PAGE_DRAFTS_BYTES
from app.web.arrival import is_own_name, neighbourhood
from tests.service.world import World
from tests.web.server import Serve, Server, opened
from tests.web.test_api import API
from tests.web.test_pages import MHA, WRONG

LONG = "9" * 5_000


@pytest.mark.parametrize(
    "cookie", [f"split={LONG}", "split=-1", "split=999", "theme=" + "x" * 9_000, "mlgrind=" + LONG]
)
def test_a_cookie_of_any_number_opens_the_page(client: TestClient, cookie: str) -> None:
    assert client.get(MHA, headers={"cookie": cookie}).status_code == 200


@pytest.mark.parametrize(
    "field", [f"answer-{LONG}", "answer-²", "answer-0", "answer--1", "answer-"]
)
def test_a_form_may_have_a_field_of_any_number(client: TestClient, field: str) -> None:
    answer = client.post(f"{MHA}/keep", data={field: "text", "source": WRONG})
    assert answer.status_code in {200, 303}


def test_a_hint_of_a_long_number_is_no_hint(client: TestClient) -> None:
    assert client.post(f"{MHA}/hints", data={"number": LONG, "source": WRONG}).status_code == 404


@pytest.mark.parametrize(
    ("path", "query"),
    [
        (MHA, {"draft": LONG}),
        (f"{API}/submissions", {"wait": LONG}),
        (f"{MHA}/changes", {"from": LONG, "to": LONG}),
    ],
)
def test_a_query_of_any_number_is_no_fault_of_ours(
    client: TestClient, path: str, query: dict[str, str]
) -> None:
    assert client.get(path, params=query).status_code < 500


@pytest.mark.parametrize(
    "body", [f'{{"number": {LONG}, "text": "x"}}', "[" * 100_000, "1" * 100_000]
)
@pytest.mark.parametrize("path", [f"{API}/follow-ups", f"{API}/hints", f"{API}/runs"])
def test_json_of_any_depth_and_length_is_refused_in_words(
    client: TestClient, path: str, body: str
) -> None:
    answer = client.post(path, content=body, headers={"content-type": "application/json"})
    assert answer.status_code in {400, 422} and answer.json()["detail"]


def test_headers_of_any_text_are_no_fault_of_ours(client: TestClient) -> None:
    odd = {
        "if-none-match": '"a",' * 5_000,
        "accept-language": "de;q=" + LONG,
        "accept-encoding": "gzip;q=" + LONG + ",br" * 999,
        "content-length": "0",
        "range": f"bytes={LONG}-",
        "x-forwarded-for": "1.2.3.4," * 2_000,
        "authorization": "Bearer " + LONG,
        "idempotency-key": LONG,
    }
    for name, value in odd.items():
        assert client.get(MHA, headers={name: value}).status_code < 500, name


# ------------------------------------------------------------------ names and origins


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("localhost", True), ("LocalHost:80", True), ("127.0.0.1:8000", True), ("[::1]:8000", True),
        ("app.localhost", True), ("127.1.2.3", True), ("evil.example:8000", False), ("", False),
        ("localhost.evil.example", False), ("127.0.0.1.evil.example", False), ("10.0.0.1", False),
    ],
)  # fmt: skip
def test_which_names_are_this_machines_own(host: str, own: bool) -> None:
    assert is_own_name(host) is own


def test_counters_are_not_read_under_another_name(plain: Server) -> None:
    assert plain.ask("GET", "/metrics").status == 200
    assert plain.ask("GET", "/metrics", headers={"host": "evil.example"}).status == 403


def test_a_server_for_this_machine_answers_to_its_own_name_only(serve: Serve) -> None:
    evil = {"host": "evil.example", "x-forwarded-for": "1.2.3.4", "origin": "http://evil.example"}
    with serve() as server:
        for method, path in (("GET", "/"), ("GET", MHA), ("POST", f"{API}/runs")):
            refused = server.ask(method, path, b"{}" if method == "POST" else None, evil)
            assert refused.status == 403 and b"localhost only" in refused.body
        assert server.ask("GET", "/").status == 200
        assert server.ask("GET", "/healthz", headers=evil).status == 200
    with serve(host="0.0.0.0") as server:  # noqa: S104 (as a class would be served)
        assert server.ask("GET", "/", headers={"host": "class.example"}).status == 200


@pytest.mark.parametrize("origin", ["", " "])
def test_an_empty_origin_changes_nothing(client: TestClient, origin: str) -> None:
    answer = client.post(f"{API}/runs", json={"source": WRONG}, headers={"origin": origin})
    assert answer.status_code == 403


def test_addresses_of_one_household_count_as_one() -> None:
    assert neighbourhood("2001:db8:1:2:aaaa::1") == neighbourhood("2001:db8:1:2::9")
    assert neighbourhood("2001:db8:1:2::1") != neighbourhood("2001:db8:1:3::1")
    assert neighbourhood("::ffff:192.0.2.1") == "192.0.2.1" == neighbourhood("192.0.2.1")
    assert neighbourhood("testclient") == "testclient"


# ------------------------------------------------------------------ too much


@pytest.fixture
def few(tmp_path: Path, shelf: Path) -> Callable[..., TestClient]:
    """Clients of a site that lets everybody ask five times."""
    world = World(tmp_path, folders=(shelf,), allowance=Allowance(requests=5, address_requests=12))
    site = opened(world.service(started=False), Settings(data=tmp_path))
    return lambda: TestClient(site, base_url="http://mlgrind.test", follow_redirects=False)


def test_reads_are_limited_by_visitor_and_by_address(few: Callable[..., TestClient]) -> None:
    ann, ben = few(), few()
    for each in (ann, ben):
        assert each.get(MHA).status_code == 200  # brings the cookie
    answers = [ann.get("/") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert [ben.get("/progress").status_code for _ in range(5)] == [200] * 5
    guests = [few().get("/").status_code for _ in range(13)]
    assert guests[0] == 200
    assert guests[-1] == 429  # twelve of those who have no cookie yet at this address
    assert few().get("/healthz").status_code == 200


def test_a_draft_over_its_bound_is_refused_with_what_fits(client: TestClient) -> None:
    body = {"source": "a" * (DRAFT_BYTES + 1), "device": "d"}
    answer = client.put(f"{API}/draft", json=body)
    assert answer.status_code == 413 and "131,072" in answer.text


def test_a_page_carries_no_more_drafts_than_its_bound(client: TestClient) -> None:
    for n in range(9):
        text = f"{n}" + "\x01" * 60_000
        assert client.put(f"{API}/draft", json={"source": text, "device": f"d{n}"}).is_success
    told = client.get(f"{API}/drafts").json()
    assert told["opened"]["source"][0] == "8"
    assert len(told["others"]) + told["left_out"] == 8 and told["left_out"] > 0
    assert len(client.get(f"{API}/drafts").content) < PAGE_DRAFTS_BYTES + 6 * DRAFT_BYTES + 9_999


def test_the_oldest_drafts_go_when_all_together_are_too_long(client: TestClient) -> None:
    for n in range(12):
        text = f"{n:02}" + "a" * 120_000
        assert client.put(f"{API}/draft", json={"source": text, "device": f"d{n}"}).is_success
    told = client.get(f"{API}/drafts").json()
    assert told["opened"]["source"][:2] == "11"
    assert len(told["others"]) + told["left_out"] == 7


def test_a_full_disk_keeps_no_draft_and_no_link_and_is_no_fault(
    world: World, client: TestClient
) -> None:
    sent = client.post(f"{API}/submissions", json={"source": WRONG}).json()
    world.free_bytes = 499 * 1024 * 1024
    writes = [
        client.put(f"{API}/draft", json={"source": "x", "device": "d"}),
        client.post(f"/api/submissions/{sent['submission']}/share"),
        client.post(f"{API}/hints", json={"number": 1}),
        client.put("/api/name", json={"name": "Ann"}),
        client.post("/api/recovery/code"),
        client.post(f"{API}/follow-ups", json={"number": 1, "text": "x"}),
    ]
    for answer in writes:
        assert answer.status_code == 503 and "nearly full" in answer.text
        assert int(answer.headers["retry-after"]) >= 1
    assert client.get(f"/api/submissions/{sent['submission']}").status_code == 200
    assert client.post(f"{API}/runs", json={"source": WRONG}).status_code == 200


def test_wrong_codes_of_one_keep_nobody_else_out(client: TestClient) -> None:
    right = client.post("/api/recovery/code").json()["code"]
    wrong = [client.post("/api/recovery/look-up", json={"code": "wrong"}) for _ in range(12)]
    assert [answer.status_code for answer in wrong] == [404] * 10 + [429] * 2
    other = client.post("/api/recovery/look-up", json={"code": "another"})
    assert other.status_code == 404
    assert client.post("/api/recovery/look-up", json={"code": right}).status_code == 200
