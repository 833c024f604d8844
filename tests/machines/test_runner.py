"""The runner itself: who may ask, how much, and what it says of itself."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.jail.wire import frame
from app.model import Lane, Order
from app.ports import Kind
from app.sandbox import parcel, parcel_answer
from app.sandbox.peer import Peer, RunnerAt
from app.sandbox.slots import Slots
from app.sandbox.software import software
from tests.machines.machines import COMMAND, PATIENCE_S, ROOT, TOKEN, Machine, order

DOUBLE = order("def f(x):\n    return 2 * x\n", 21)
LOOP = "def f():\n    for i in range(10 ** 12):\n        pass\n"
SLOW = order(LOOP, lane=Lane.SLOW, cpu_s=60.0, budget_cpu_s=60.0, budget_wall_s=60.0)
HEADERS = {"authorization": f"Bearer {TOKEN}", "x-software": software(), "x-lane": "fast"}


@contextmanager
def asked(
    machine: Machine, path: str, body: bytes | None = None, **headers: str
) -> Iterator[http.client.HTTPResponse]:
    line = http.client.HTTPConnection(machine.host, machine.port, timeout=PATIENCE_S)
    try:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        line.request("GET" if body is None else "POST", path, body, {**HEADERS, **named})
        yield line.getresponse()
    finally:
        line.close()


def status(machine: Machine, body: bytes, **headers: str) -> int:
    with asked(machine, "/run", body, **headers) as response:
        response.read()  # to its end, or the place would be taken a moment longer
        return response.status


def test_a_connection_in_use_goes_with_its_answer(machines: tuple[Machine, Machine]) -> None:
    """A runner that is forgotten, or a process that ends, leaves none behind."""
    one = machines[0]
    peer = Peer(RunnerAt(one.name, "http", one.host, one.port, one.host), TOKEN, None)
    with peer._asked("GET", "/readyz", b"", {}) as (line, response):
        peer.close()
        response.read()
    assert line.sock is None


def test_an_order_is_run_and_answered(machines: tuple[Machine, Machine]) -> None:
    body = parcel.pack(DOUBLE)
    with asked(machines[0], "/run", body, x_request_id="0123abcd", x_submission="s-1") as response:
        answer = parcel_answer.RunnerAnswer(DOUBLE, len(body))
        answer.feed(response.read())
    assert answer.ran().executions[0].value == 42
    (event,) = [e for e in machines[0].events().splitlines() if "0123abcd" in e]
    said = json.loads(event)
    assert (said["event"], said["submission"], said["lane"]) == ("order_answered", "s-1", "fast")
    assert "return" not in event and "solution" not in event


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"authorization": "Bearer wrong"}, 401),
        ({"authorization": ""}, 401),
        ({"authorization": "Bearer " + "ä" * 9}, 401),
        ({"x_software": "python-2.7"}, 409),
        ({"x_software": ""}, 409),
        ({"x_lane": "slow"}, 400),
    ],
)
def test_who_may_not_ask_is_told_so_and_nothing_runs(
    machines: tuple[Machine, Machine], headers: dict[str, str], expected: int
) -> None:
    encoded = {name: value.encode("utf-8").decode("latin-1") for name, value in headers.items()}
    assert status(machines[0], parcel.pack(DOUBLE), **encoded) == expected


@pytest.mark.parametrize("body", [b"", b"x", b"\0" * 5000, frame(b"P", b"N"), frame(b"G")])
def test_what_is_no_order_is_refused(machines: tuple[Machine, Machine], body: bytes) -> None:
    assert status(machines[0], body) == 400
    assert status(machines[0], parcel.pack(DOUBLE)) == 200


def test_an_order_that_is_too_large_is_not_read(machines: tuple[Machine, Machine]) -> None:
    line = http.client.HTTPConnection(machines[0].host, machines[0].port, timeout=PATIENCE_S)
    line.putrequest("POST", "/run")
    for name, value in {**HEADERS, "content-length": str(2**40)}.items():
        line.putheader(name, value)
    line.endheaders()
    assert line.getresponse().status == 413
    line.close()


def test_it_streams_a_byte_a_second_while_it_works_and_ends_with_its_caller(
    machines: tuple[Machine, Machine],
) -> None:
    machine = machines[1]
    with asked(machine, "/run", parcel.pack(SLOW), x_lane="slow") as response:
        assert response.read(2) == b".."
        assert status(machine, parcel.pack(SLOW), x_lane="slow") == 503  # the one slow place
        assert status(machine, parcel.pack(DOUBLE)) == 200  # quick code has places of its own
    again = order("def f():\n    return 1\n", lane=Lane.SLOW)
    for _ in range(PATIENCE_S * 10):  # the order ends with its caller, long before its minute
        if status(machine, parcel.pack(again), x_lane="slow") == 200:
            return
        threading.Event().wait(0.1)
    raise AssertionError("its place is still taken")


@pytest.mark.parametrize(
    ("taken", "kind", "expected"),
    [
        (0, Kind.LIVE, True),
        (1, Kind.LIVE, True),
        (2, Kind.LIVE, False),
        (2, Kind.SECOND_LOOK, False),
        (2, Kind.RUN, True),
        (2, Kind.SUBMISSION, True),
        (3, Kind.RUN, False),
        (3, Kind.SUBMISSION, False),
    ],
)
def test_what_no_learner_waits_for_leaves_a_place_free(
    taken: int, kind: Kind, expected: bool
) -> None:
    slots = Slots(3, 1, {"fast": taken, "slow": 0})
    assert slots.take("fast", kind) is expected
    assert slots.taken["fast"] == taken + expected


def test_a_single_place_serves_all_of_them() -> None:
    slots = Slots(1, 1)
    for kind in Kind:
        assert slots.take("fast", kind)
        slots.give_back("fast")


def test_it_says_how_it_is(machines: tuple[Machine, Machine]) -> None:
    with asked(machines[0], "/readyz") as response:
        said = json.loads(response.read())
    assert (response.status, said["ready"], said["software"]) == (200, True, software())
    assert (said["fast"], said["slow"]) == (2, 1)
    assert {"seccomp", "keeper"} <= {layer["name"] for layer in said["layers"]}
    with asked(machines[0], "/healthz") as response:
        assert (response.status, response.read()) == (200, b"ok\n")
    with asked(machines[0], "/metrics") as response:
        assert b'mlgrind_runner_orders_total{outcome="answered"}' in response.read()
    with asked(machines[0], "/metrics", authorization="") as response:
        assert response.status == 401


def test_it_says_no_where_a_layer_is_missing() -> None:
    from starlette.testclient import TestClient

    from app.sandbox.runner_site import site
    from tests.service.world import ScriptedSandbox

    sandbox = ScriptedSandbox()
    with TestClient(site(sandbox, TOKEN.encode(), Slots(1, 1))) as client:
        assert client.get("/readyz").status_code == 200
        sandbox.holds = False
        assert (client.get("/readyz").status_code, client.get("/readyz").json()["ready"]) == (
            503,
            False,
        )


@pytest.mark.parametrize(
    ("text", "mode", "sentence"),
    [
        (TOKEN, 0o644, "can be read by other users"),
        ("short", 0o600, "holds no token"),
        ("two words that are long enough", 0o600, "holds no token"),
        (None, 0o600, "Set MLGRIND_RUNNER_TOKEN_FILE"),
    ],
)
def test_it_does_not_start_without_a_token_of_its_own(
    tmp_path: Path, text: str | None, mode: int, sentence: str
) -> None:
    environment = {**os.environ}
    if text is not None:
        token = tmp_path / "token"
        token.write_text(text)
        token.chmod(mode)
        environment["MLGRIND_RUNNER_TOKEN_FILE"] = str(token)
    ended = subprocess.run(
        [sys.executable, *COMMAND, "--port", "0"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.returncode == 2
    assert sentence in ended.stderr


def test_learners_code_sees_no_token(machines: tuple[Machine, Machine]) -> None:
    """Neither in the environment of a jail's processes nor in what they have open."""
    process = machines[0].process
    assert process is not None
    found = _children(process.pid)
    assert found
    for pid in found:
        environment = Path(f"/proc/{pid}/environ").read_bytes()
        assert b"TOKEN" not in environment and TOKEN.encode() not in environment
        opened = [os.readlink(one) for one in Path(f"/proc/{pid}/fd").iterdir() if one.is_symlink()]
        assert not any("token" in name for name in opened)


def _children(pid: int) -> list[int]:
    found = [
        int(one)
        for task in Path(f"/proc/{pid}/task").iterdir()
        for one in (task / "children").read_text().split()
    ]
    return [*found, *(each for one in found for each in _children(one))]


def test_order_of_another_sort_is_the_same_order_for_all_callers() -> None:
    """What is sent holds source, arguments and limits, in this spelling and in no other."""
    body = parcel.pack(Order(DOUBLE.sources, DOUBLE.calls))
    assert parcel.pack(parcel.unpack(body)) == body
