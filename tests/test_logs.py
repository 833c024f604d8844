"""Logs: one event a line, with its request, and nothing a terminal would obey."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator

import pytest
import structlog

from app import logs


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    before = structlog.get_config()
    yield
    structlog.configure(**before)


def test_an_event_is_a_line_of_json_with_its_request() -> None:
    out = io.StringIO()
    logs.configure("json", out)
    with logs.bound(request_id="abc"):
        structlog.get_logger().info("judged", verdict="accepted")
    structlog.get_logger().info("later")
    first, second = map(json.loads, out.getvalue().splitlines())
    assert (first["event"], first["verdict"], first["level"]) == ("judged", "accepted", "info")
    assert first["request_id"] == "abc"
    assert "request_id" not in second


@pytest.mark.parametrize("style", ["json", "text"])
def test_a_value_never_makes_a_line_of_its_own(style: str) -> None:
    out = io.StringIO()
    logs.configure(style, out)  # type: ignore[arg-type]
    structlog.get_logger().info("odd", value="a\nb\x1b[31m")
    assert out.getvalue().count("\n") == 1
    assert "\x1b" not in out.getvalue()


def test_a_fault_is_logged_with_its_reason() -> None:
    out = io.StringIO()
    logs.configure("json", out)
    try:
        raise ValueError("the reason")
    except ValueError as error:
        structlog.get_logger().error("grader_error", exc_info=error)
    assert "ValueError: the reason" in json.loads(out.getvalue())["exception"]
