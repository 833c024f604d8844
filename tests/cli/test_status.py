"""What a dispatcher says of itself over HTTP."""

from __future__ import annotations

import json

import pytest

from app.cli.serving import listen
from app.cli.status import Status, serve_status
from app.model import Layer
from tests.machines.processes import asked

HOLDS = (Layer("seccomp", required=True, present=True), Layer("extra", False, False))
MISSING = (Layer("seccomp", required=True, present=False),)


def port_of(status: Status) -> int:
    listening = listen("127.0.0.1", 0)
    serve_status(listening, status)
    return int(listening.getsockname()[1])


def test_it_is_ready_with_its_database_and_every_required_layer() -> None:
    status, body = asked(port_of(Status(lambda: True, lambda: HOLDS)), "/readyz")
    assert status == 200
    assert json.loads(body) == {
        "ready": True,
        "database": True,
        "layers": {"seccomp": True, "extra": False},
    }


@pytest.mark.parametrize(
    ("database", "layers"), [(False, HOLDS), (True, MISSING)], ids=["no database", "no wall"]
)
def test_it_says_no(database: bool, layers: tuple[Layer, ...]) -> None:
    port = port_of(Status(lambda: database, lambda: layers))
    status, body = asked(port, "/readyz")
    assert (status, json.loads(body)["ready"]) == (503, False)
    assert asked(port, "/healthz") == (200, "ok\n")


def test_it_counts_and_knows_nothing_else() -> None:
    port = port_of(Status(lambda: True, lambda: HOLDS))
    assert "mlgrind_queue_oldest_seconds" in asked(port, "/metrics")[1]
    assert asked(port, "/")[0] == 404
