"""The gate: headers, cookies, origins, proxies, request ids; what only a connection can show."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import structlog
from starlette.testclient import TestClient

from app.model import LearnerId
from app.service.learners import Learners
from app.web.session import COOKIE, Sessions
from tests.service.world import World
from tests.web.server import SECRET, Answer, Serve, Server
from tests.web.test_api import API
from tests.web.test_pages import MHA, WRONG

BODY = {"source": WRONG}
POLICY = "content-security-policy"


@pytest.mark.parametrize("path", ["/", MHA, "/progress", "/docs", "/nothing", "/healthz", API])
def test_every_answer_wears_its_headers(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe-inline" not in policy.replace("style-src-attr 'unsafe-inline'", "")
    assert "frame-ancestors 'none'" in policy and "form-action 'self'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert re.fullmatch("[0-9a-f]{16}", headers["x-request-id"])
    assert "strict-transport-security" not in headers


def test_the_editors_styles_have_a_nonce_of_their_own_page(client: TestClient) -> None:
    nonces = []
    for _ in range(2):
        answer = client.get(MHA)
        found = re.search(r"style-src 'self' 'nonce-([\w-]{22})'", answer.headers[POLICY])
        assert found and f'nonce="{found[1]}"' in answer.text
        nonces.append(found[1])
    assert nonces[0] != nonces[1]
    assert "nonce" not in client.get("/").headers[POLICY]


def test_no_page_has_a_script_or_a_handler_within_it(client: TestClient) -> None:
    for path in ("/", MHA, "/progress", "/docs", "/nothing"):
        html = client.get(path).text
        for script in re.findall(r"<script[^>]*>", html):
            assert 'type="application/json"' in script or 'src="/static/' in script
        assert not re.search(r"<[^>]* on[a-z]+=", html) and "<style" not in html
        assert "http://" not in html.replace("http://www.w3.org", "") and "https://" not in html


def test_the_cookie_is_secure_only_over_https(serve: Serve) -> None:
    with serve() as server:
        cookie = server.ask("GET", MHA).headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=Lax" in cookie and "Path=/" in cookie
        assert "Secure" not in cookie
    with serve(public_url="https://grind.example.org", hsts=True) as server:
        answer = server.ask("GET", MHA)
        assert "Secure" in answer.headers["set-cookie"]
        assert answer.headers["strict-transport-security"] == "max-age=31536000"


def test_a_forged_or_foreign_cookie_is_a_new_learner(plain: Server) -> None:
    first = _cookie(plain.ask("GET", MHA))
    assert "set-cookie" not in plain.ask("GET", MHA, headers={"cookie": first}).headers
    other = Sessions(b"x" * 32).header(plain.service.learners.new(), secure=False).split(";")[0]
    for value in (first + "x", other, f"{COOKIE}=", f"{COOKIE}=a.b.c", f"{COOKIE}=\xff"):
        answer = plain.ask("GET", MHA, headers={"cookie": value})
        assert answer.status == 200 and _cookie(answer) != first


def test_an_old_cookie_is_sent_again_and_a_very_old_one_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sessions = Sessions(SECRET)
    value = sessions.header(_id("a"), secure=False).split(";")[0].split("=", 1)[1]
    now = sessions._signer.get_timestamp()
    for days, found in ((0, (_id("a"), False)), (2, (_id("a"), True)), (401, (None, True))):
        monkeypatch.setattr(
            type(sessions._signer),
            "get_timestamp",
            lambda _self, days=days: now + days * 86_400,
        )
        assert sessions.read(value) == found


def test_the_readmes_curl_line_submits_without_a_cookie_and_reads_again(plain: Server) -> None:
    lines = (Path(__file__).parents[2] / "README.md").read_text().splitlines()
    line = next(each for each in lines if each.startswith("curl "))
    command = shlex.split(line.replace("http://127.0.0.1:8000", plain.url))
    done = subprocess.run(command, capture_output=True, check=True)
    report = json.loads(done.stdout)
    assert (report["format"], report["total"]) == (1, 6)
    again = f"/api/submissions/{report['submission']}?read_token={report['read_token']}"
    read = subprocess.run(["curl", "-s", plain.url + again], capture_output=True, check=True)
    assert json.loads(read.stdout)["verdict"] == report["verdict"]


def test_a_request_is_found_in_the_log_by_its_id_and_never_by_its_secrets(
    client: TestClient,
) -> None:
    report = client.post(f"{API}/submissions", json=BODY).json()
    with structlog.testing.capture_logs(
        processors=[structlog.contextvars.merge_contextvars]
    ) as logs:
        answer = client.get(
            f"/api/submissions/{report['submission']}?read_token={report['read_token']}"
        )
        client.get("/shared/" + "s" * 22)
    line = next(e for e in logs if e.get("request_id") == answer.headers["x-request-id"])
    assert (line["route"], line["status"]) == ("/api/submissions/{submission}", 200)
    assert report["read_token"] not in str(logs) and "s" * 22 not in str(logs)


def test_our_own_fault_carries_an_id_that_is_in_the_log(
    visit: Callable[..., TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = visit(raise_server_exceptions=False)

    def fails(*_: object, **__: object) -> None:
        raise KeyError("something of ours")

    monkeypatch.setattr(Learners, "progress", fails)
    with structlog.testing.capture_logs() as logs:
        answer = client.get("/api/progress", headers={"cookie": ""})
    assert answer.status_code == 500
    assert "something of ours" not in answer.text
    assert answer.json()["request_id"] == answer.headers["x-request-id"]
    assert POLICY in answer.headers
    line = next(e for e in logs if e["event"] == "request_failed")
    assert line["request_id"] == answer.headers["x-request-id"]


def test_metrics_are_for_this_machine_or_the_token(serve: Serve) -> None:
    with serve(metrics_token="t0ken") as server:
        assert b"mlgrind_submissions" in server.ask("GET", "/metrics").body
        forwarded = {"x-forwarded-for": "203.0.113.9"}
        assert server.ask("GET", "/metrics", headers=forwarded).status == 403
        named = {**forwarded, "authorization": "Bearer t0ken"}
        assert server.ask("GET", "/metrics", headers=named).status == 200
        wrong = {**forwarded, "authorization": "Bearer \xff"}
        assert server.ask("GET", "/metrics", headers=wrong).status == 403


def test_health_and_readiness(client: TestClient, world: World) -> None:
    assert client.get("/healthz").text == "ok\n"
    ready = client.get("/readyz").json()
    assert ready["ready"] is True and all(layer["present"] for layer in ready["layers"])
    assert ready["exercises"] == 3 and world.opened


def _cookie(answer: Answer) -> str:
    return answer.headers["set-cookie"].split(";")[0]


def _id(text: str) -> LearnerId:
    return LearnerId(text)
