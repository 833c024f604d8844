"""The growth table: for each address each input, grown; what it costs and how much comes back.

A row sends its input at a length. The test grows each by 10, the bench by 100 (`python -m bench
growth`): CPU and bytes grow no faster than the input, or it is refused in words.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.testclient import TestClient

MHA = "/exercises/multi-head-attention"
API = f"/api{MHA}"
HEAD = "import numpy as np\ndef multi_head_attention(Q, K, V, num_heads):\n"
ROUNDS = 3


@dataclass(frozen=True)
class Row:
    """One input of one address: `ask` sends it at a length, `start` is the shortest of use."""

    name: str
    ask: Callable[[TestClient, int], Any]
    start: int


@dataclass(frozen=True)
class Cost:
    """The least CPU time of some rounds, in seconds, and what came back."""

    cpu_s: float
    status: int
    length: int
    text: str


def cost(client: TestClient, row: Row, length: int) -> Cost:
    """What a row costs at a length, all in this process."""
    spent = []
    for _ in range(ROUNDS):
        began = time.process_time()
        answer = row.ask(client, length)
        spent.append(time.process_time() - began)
    return Cost(min(spent), answer.status_code, len(answer.content), answer.text[:2_000])


def _submitted(client: TestClient, source: str) -> dict[str, Any]:
    found: dict[str, Any] = client.post(f"{API}/submissions", json={"source": source}).json()
    return found


def _run(source: Callable[[int], str], **more: Any) -> Callable[[TestClient, int], Any]:
    return lambda client, n: client.post(f"{API}/runs", json={"source": source(n), **more})


def _kept(read: Callable[[TestClient, dict[str, Any]], Any], source: Callable[[int], str]) -> Any:
    """Reads of a submission that is sent once for each length and client."""
    known: dict[tuple[int, int], dict[str, Any]] = {}

    def ask(client: TestClient, n: int) -> Any:
        key = id(client), n
        if key not in known:
            known[key] = _submitted(client, source(n))
        return read(client, known[key])

    return ask


def _shared(client: TestClient, report: dict[str, Any]) -> Any:
    url = client.post(f"/api/submissions/{report['submission']}/share").json()["url"]
    return client.get(url)


def _page(client: TestClient, report: dict[str, Any]) -> Any:
    return client.get(f"/submissions/{report['submission']}")


def _json(client: TestClient, report: dict[str, Any]) -> Any:
    return client.get(f"/api/submissions/{report['submission']}?html=true")


def _changed(lines: tuple[str, str]) -> Callable[[TestClient, int], Any]:
    """The page of what changed between two tries, which are made here."""
    made: dict[object, tuple[str, ...]] = {}

    def ask(client: TestClient, n: int) -> Any:
        known = (client, n)
        if known not in made:
            sources = (each * n + HEAD + "    return Q\n" for each in lines)
            made[known] = tuple(_submitted(client, each)["submission"] for each in sources)
        return client.get(f"{MHA}/changes/{'/'.join(made[known])}")

    return ask


def _returns(value: str) -> Callable[[int], str]:
    return lambda n: f"{HEAD}    n = {n}\n    return {value}\n"


def _drafts(client: TestClient, n: int) -> Any:
    for device in range(8):
        text = f"# {device}\n" + "\x01" * n
        client.put(f"{API}/draft", json={"source": text, "device": f"d{n}-{device}"})
    return client.get(MHA)


def _draft(client: TestClient, text: str, device: str) -> Any:
    return client.put(f"{API}/draft", json={"source": text, "device": device})


def _answer(client: TestClient, text: str) -> Any:
    return client.post(f"{API}/follow-ups", json={"number": 1, "text": text})


def _plain(_: int) -> str:
    return HEAD + "    return Q\n"


def _form(client: TestClient, body: str) -> Any:
    kind = {"content-type": "application/x-www-form-urlencoded"}
    return client.post(f"{MHA}/keep", content=body, headers=kind)


def _header(name: str, piece: str) -> Callable[[TestClient, int], Any]:
    return lambda client, n: client.get(MHA, headers={name: piece * n})


SOURCES: dict[str, Callable[[int], str]] = {
    "line ends": lambda n: "\n " * n,
    "escapes": lambda n: '"' + "\\N{" * n + '"',
    "open strings": lambda n: '"""\\' * n,
    "quotes": lambda n: "'\"" * n,
    "fields": lambda n: 'f"' + "{a" * n + '"',
    "numbers": lambda n: "1 " * n,
    "brackets": lambda n: "(" * n,
    "soft keywords": lambda n: "match x:\n" * n,
    "one line": lambda n: "x" * n,
}
VALUES = {
    "nested nones": "((None,) * 50,) * n",
    "many arrays": "tuple(np.zeros(3) for _ in range(n))",
    "an array": "np.zeros((n, 4)) + 0.1",
    "a dict": "{str(i): i for i in range(n)}",
    "a text": "'\\x00' * n",
    "a whole number": "10 ** n",
    "axes": "np.zeros((1,) * min(n, 64))",
    "wrong cells": "np.ones((n, 4)) * np.nan",
    "printed": "print('\\x07' * n)",
}

ROWS: tuple[Row, ...] = (
    *(Row(f"shared copy of {name}", _kept(_shared, s), 400) for name, s in SOURCES.items()),
    *(Row(f"page of {name}", _kept(_page, s), 400) for name, s in SOURCES.items()),
    *(Row(f"page that returns {n}", _kept(_page, _returns(v)), 30) for n, v in VALUES.items()),
    *(Row(f"interface returns {n}", _kept(_json, _returns(v)), 30) for n, v in VALUES.items()),
    *(Row(f"run of {name}", _run(source, html=True), 400) for name, source in SOURCES.items()),
    Row("lines in turn", _changed(("# x\n# y\n", "# y\n# x\n")), 60),
    Row("lines in threes", _changed(("#a\n#b\n", "#a\n#c\n#b\n")), 60),
    Row("other lines", _changed(("#a\n", "#b\n")), 60),
    Row("drafts of a page", _drafts, 400),
    Row("own arguments", lambda c, n: _run(_plain, arguments="1," * n)(c, n), 100),
    Row("draft", lambda c, n: _draft(c, "a" * n, "d"), 4_000),
    Row("device", lambda c, n: _draft(c, "a", "d" * n), 4_000),
    Row("name", lambda c, n: c.put("/api/name", json={"name": "é" * n}), 40),
    Row("code", lambda c, n: c.post("/api/recovery/look-up", json={"code": "A" * n}), 400),
    Row("follow-up", lambda c, n: _answer(c, "1+" * n), 100),
    Row("digits", lambda c, n: c.post(f"{API}/hints", content='{"number": ' + "9" * n + "}"), 400),
    Row("depth of JSON", lambda c, n: c.post(f"{API}/hints", content="[" * n), 400),
    Row("fields", lambda c, n: _form(c, "&".join(f"answer-{i}=a" for i in range(n))), 10),
    Row("a field's name", lambda c, n: _form(c, "answer-" + "9" * n + "=a"), 400),
    Row("a field's text", lambda c, n: _form(c, "answer-1=" + "%41" * n), 400),
    Row("tags", _header("if-none-match", '"a",'), 400),
    Row("codings", _header("accept-encoding", "gzip;q=0.1,"), 400),
    Row("languages", _header("accept-language", "de;q=0.1,"), 400),
    Row("cookies", _header("cookie", "split=9; "), 400),
    Row("proxies", _header("x-forwarded-for", "1.2.3.4,"), 400),
    Row("query", lambda c, n: c.get(f"{MHA}?draft={'9' * n}"), 400),
    Row("path", lambda c, n: c.get("/exercises/" + "a" * n), 400),
    Row("a share's token", lambda c, n: c.get("/shared/" + "a" * n), 400),
    Row("a submission's id", lambda c, n: c.get("/submissions/" + "a" * n), 400),
    Row("a static name", lambda c, n: c.get("/static/" + "a" * n), 400),
)  # fmt: skip
