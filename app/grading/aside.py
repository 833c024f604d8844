"""What stands beside a verdict, made so that it can't take the verdict along when it fails.

Diagnosis, findings, trace, probe and pictures explain; the verdict stands without them. Whatever
goes wrong in one of them is our fault: it is logged as that and counted, and left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import structlog

from app import metrics

T = TypeVar("T")

log = structlog.get_logger()


def aside(what: str, make: Callable[[], T], otherwise: T) -> T:
    """What `make` gives, or `otherwise` where it fails; `what` names it in the log."""
    try:
        return make()
    except Exception as error:  # the edge of a decoration: the verdict stands
        metrics.DECORATIONS_LOST.inc()
        log.error("decoration_lost", what=what, reason=repr(error), exc_info=error)
        return otherwise
