"""Waiting for what the line does, holding no thread; who hangs up stops what runs for them."""

from __future__ import annotations

import asyncio
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request

from app.model import SubmissionId
from app.records import Json
from app.service import Refused, Service
from app.web.guard import notes
from app.web.threads import at_once

T = TypeVar("T")

RUN_S = 60.0
"""A run waits this long at most, line included: longer than any budget, shorter than for ever."""


async def report_of(
    request: Request, service: Service, submission: SubmissionId, wait_s: float
) -> Json | None:
    """The report of a submission, or None while it is in line. Raises NoSuchSubmission."""
    notes(request).answered()  # who waits for a report keeps nobody from reading
    return await within(await at_once(service.submissions.verdict, submission), wait_s)


async def within(future: Future[Json], wait_s: float) -> Json | None:
    """What a future gives, or None where that takes longer or the server closes first."""
    try:
        async with asyncio.timeout(wait_s):
            return await asyncio.wrap_future(future)
    except (TimeoutError, asyncio.CancelledError, CancelledError):
        raise_if_cancelled()
        return None


def raise_if_cancelled() -> None:
    """Pass a cancellation of this very request on."""
    task = asyncio.current_task()
    if task is not None and task.cancelling() > 0:
        raise asyncio.CancelledError


async def ended(request: Request, future: Future[T], wait_s: float = RUN_S) -> T:
    """The result of a run. A client that hangs up cancels it; so does one that waits too long.

    Raises what the future fails with, ClientDisconnect, and Refused where it was given up.
    """
    result = asyncio.ensure_future(asyncio.wrap_future(future))
    gone = asyncio.ensure_future(_hung_up(request))
    try:
        both: set[asyncio.Future[Any]] = {result, gone}
        done, _ = await asyncio.wait(both, timeout=wait_s, return_when=asyncio.FIRST_COMPLETED)
        if result in done and not result.cancelled():
            return result.result()
        if gone in done:
            raise ClientDisconnect
        raise Refused("line_full", 2, "This run gave way to others. Your code is kept here.")
    finally:
        future.cancel()
        for task in (result, gone):
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await task


async def _hung_up(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
