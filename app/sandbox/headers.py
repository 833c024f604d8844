"""The headers between a runner and its callers, and what of them a log may hold."""

from __future__ import annotations

import re
from collections.abc import Mapping

import structlog

from app.ports import Kind

SOFTWARE = "x-software"
LANE = "x-lane"
KIND = "x-kind"
ALONE = "x-alone"
REQUEST_ID = "x-request-id"
SUBMISSION = "x-submission"

_KINDS = {str(kind.value): kind for kind in Kind}
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


def ids() -> dict[str, str]:
    """The request and the submission that this thread works for, where its events name them."""
    known = structlog.contextvars.get_contextvars()
    return _only_ids({REQUEST_ID: known.get("request_id"), SUBMISSION: known.get("submission")})


def kind(headers: Mapping[str, str]) -> Kind:
    """What an order is for; what names nothing known is a submission."""
    return _KINDS.get(headers.get(KIND, ""), Kind.SUBMISSION)


def logged(headers: Mapping[str, str]) -> dict[str, str]:
    """What a runner's events name: nothing but ids, and only what looks like one."""
    return _only_ids({"request_id": headers.get(REQUEST_ID), "submission": headers.get(SUBMISSION)})


def _only_ids(found: Mapping[str, object]) -> dict[str, str]:
    return {
        name: value
        for name, value in found.items()
        if isinstance(value, str) and _ID.fullmatch(value)
    }
