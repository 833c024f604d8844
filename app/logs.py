"""Logs: one event a line, with the request's id, as text for people or JSON for machines.

What learners wrote never goes into an event but as an id; control characters never reach a
terminal, since every value is written escaped.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Literal, TextIO

import structlog
from structlog.typing import Processor


def configure(
    style: Literal["auto", "text", "json"] = "auto", stream: TextIO | None = None
) -> None:
    """Send all events, and the standard library's warnings, to `stream` (stderr unless given)."""
    out = stream or sys.stderr
    as_json = style == "json" or (style == "auto" and not out.isatty())
    renderer: Processor = (
        structlog.processors.JSONRenderer()
        if as_json
        else structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"])
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(out),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=logging.WARNING, stream=out, force=True)


def bound(**values: object) -> AbstractContextManager[object]:
    """Add values (a request's id) to every event of a block."""
    return structlog.contextvars.bound_contextvars(**values)


def carried() -> Mapping[str, object]:
    """What the events of this block are marked with, to mark those of its work elsewhere."""
    return structlog.contextvars.get_contextvars()
