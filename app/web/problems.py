"""What went wrong, in words: RFC 9457 problem details under `/api/`, a page everywhere else.

The three faults are never shown as one another: the learner's own is a verdict and never comes
here; the author's says that the exercise is broken; ours carries the request's id.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import structlog
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response

from app.catalog import ExerciseErrors
from app.ports import StoreAway
from app.service import (
    AskFirst,
    BadArguments,
    BadName,
    ExerciseBroken,
    NoDraws,
    NoSuchCase,
    NoSuchExercise,
    NoSuchHint,
    NoSuchQuestion,
    NoSuchRecoveryCode,
    NoSuchSubmission,
    NoTriesLeft,
    OutOfOrder,
    Refused,
    TwoSeats,
)
from app.service.errors import DISK_FULL
from app.service.school import Complaints, Conflict, NotThere, TooOften
from app.web.arrival import neighbourhood
from app.web.asked_exercise import asked_about, nearest
from app.web.deps import site_of
from app.web.field_errors import field_errors
from app.web.form import read_refused, sent_form
from app.web.guard import dress, notes
from app.web.html.assets import BundleMissing
from app.web.html.render import answer

log = structlog.get_logger()

REFUSED = {"too_many": 429, "too_long": 413}

_TITLES = {
    400: "This request could not be read.",
    403: "This request was refused.",
    404: "There is no page at this address.",
    405: "This address doesn't take that kind of request.",
    409: "That is not open yet.",
    413: "This is more than we accept.",
    415: "This was sent in a form we can't read.",
    422: "This request could not be understood.",
    429: "That was a lot at once.",
    500: "Something broke on our side. This one is on us.",
    503: "We can't take this right now.",
}
_DETAILS = {
    404: "Perhaps the address is mistyped, or the page belongs to somebody else.",
    413: "A request can be up to 512 KiB long, and a source up to 64 KiB. Nothing was sent on.",
    500: "None of it is your fault, and nothing is counted.",
}
_TRY_AGAIN = "Nothing you submitted before is lost. Keep your code and try again in a moment."
MEANINGS = {
    400: "The body is not JSON.",
    403: "The request came from a page of another site.",
    404: "There is no such thing, or it belongs to somebody else.",
    409: "It is not open yet.",
    413: "The body is over 512 KiB.",
    422: "The body or a parameter is not what is asked for.",
    429: "Too many at once; see `Retry-After`.",
    500: "Our own fault; the id is in the log.",
    503: "No place in line, or the exercise is being repaired; see `Retry-After`.",
}
"""What each status means for a client of the interface."""

_MISSING: Mapping[type[LookupError], str] = {
    NoSuchExercise: "There is no exercise of that name.",
    NoSuchSubmission: "There is no such submission, or it belongs to somebody else.",
    NoDraws: "This exercise has no random inputs.",
    NoSuchCase: "There is no visible case of that name.",
    NoSuchHint: "There is no such hint.",
    NoSuchQuestion: "There is no such question.",
    NoSuchRecoveryCode: "We don't know this code. It may have been used already.",
}
MISSING = tuple(_MISSING)
TWO_SEATS = "Both are in one class, under two names. Ask your instructor to merge them."
OF_CLASSES = (NotThere, Conflict, Complaints, TooOften, NoTriesLeft, TwoSeats)


@dataclass(frozen=True)
class Trouble:
    """One refusal: its status, what happened, what holds, and when to come back."""

    status: int
    title: str
    detail: str = ""
    retry_after: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    allow: str | None = None


def of(error: Exception) -> Trouble:
    """The refusal that an exception stands for."""
    if isinstance(error, Refused):
        status = REFUSED.get(error.kind, 503)
        extra = {} if error.attempt is None else {"attempt": error.attempt}
        return Trouble(status, error.message, retry_after=error.retry_after or None, extra=extra)
    if isinstance(error, OF_CLASSES):
        return _of_class(error)
    if isinstance(error, AskFirst):
        asked = error.question
        return Trouble(409, asked.fact, asked.rest, extra={"question": asked.yes})
    if isinstance(error, OutOfOrder):
        return Trouble(409, _TITLES[409], str(error), extra={"next_hint": error.next_hint})
    if isinstance(error, ExerciseBroken | ExerciseErrors):
        detail = "Its author made a mistake, not you. Your code is kept; other exercises work."
        return Trouble(503, "This exercise is being repaired.", detail, retry_after=60)
    if isinstance(error, BadArguments | BadName):
        return Trouble(422, str(error))
    if isinstance(error, RequestValidationError):
        told = field_errors(error.errors())
        words = "; ".join(f"{each['field']}: {each['message']}" for each in told)
        status = 400 if any(e["type"] == "json_invalid" for e in error.errors()) else 422
        return Trouble(status, _TITLES[status], words, extra={"errors": told})
    if isinstance(error, HTTPException):
        return _http(error)
    if isinstance(error, MISSING):
        return Trouble(404, _MISSING[type(error)])
    return Trouble(500, _TITLES[500], _DETAILS[500])


def _of_class(error: Exception) -> Trouble:
    """What the use cases of classes say no with."""
    if isinstance(error, Complaints):
        return Trouble(422, " ".join(error.fields.values()))
    if isinstance(error, TooOften):
        return Trouble(429, str(error), retry_after=error.retry_after)
    if isinstance(error, TwoSeats):
        return Trouble(409, TWO_SEATS)
    if isinstance(error, Conflict | NoTriesLeft):
        return Trouble(409, str(error))
    return Trouble(404, _TITLES[404], _DETAILS[404])


def _http(error: HTTPException) -> Trouble:
    status = error.status_code
    title = _TITLES.get(status, "This did not work.")
    own = error.detail if error.detail and not _standard(error) else _DETAILS.get(status, "")
    if status == 400 and error.detail == "There was an error parsing the body":
        own = "The body is not JSON in UTF-8."
    return Trouble(status, title, own, allow=(error.headers or {}).get("Allow"))


def _standard(error: HTTPException) -> bool:
    return error.detail in {"Not Found", "Method Not Allowed", "Content Too Large", "Forbidden",
                            "Request Entity Too Large"}  # fmt: skip


def respond(request: Request, trouble: Trouble) -> Response:
    """The refusal as problem details or as a page with the way back."""
    headers: dict[str, str] = {"Cache-Control": "no-store"}
    if trouble.retry_after is not None:
        headers["Retry-After"] = str(trouble.retry_after)
    if trouble.allow:
        headers["Allow"] = trouble.allow
    if _is_api(request):
        return answer(
            request,
            {
                "type": f"/docs#{trouble.status}",
                "title": trouble.title,
                "status": trouble.status,
                "detail": trouble.detail,
                "instance": request.url.path,
                "request_id": notes(request).request_id,
                **trouble.extra,
            },
            status=trouble.status,
            headers=headers,
            media_type="application/problem+json",
        )
    try:
        page = _page(request, trouble)
    except StoreAway:  # it asks the database who reads it and what to lead back to
        notes(request).who = lambda: None
        page = _page(request, trouble, stored=False)
    page.headers.update(headers)
    return page


def _is_api(request: Request) -> bool:
    return request.url.path.startswith("/api/")


def _page(request: Request, trouble: Trouble, *, stored: bool = True) -> Response:
    """The page of a refusal; with `stored` false it asks the database nothing."""
    site = site_of(request)
    form = sent_form(request.scope)
    return site.renderer.page(
        request,
        "error.html",
        status=trouble.status,
        trouble=trouble,
        near=nearest(request) if stored and trouble.status == 404 else None,
        source=None if form is None or form.source is None else form.text("source"),
        others={} if form is None else {**form.others, **_attempt(trouble)},
        back=asked_about(request) if stored else None,
        method=request.method,
    )


def _attempt(trouble: Trouble) -> dict[str, str]:
    """The token that goes along with a form's next try, where the moment of this one counts."""
    return {"attempt": trouble.extra["attempt"]} if "attempt" in trouble.extra else {}


async def _known(request: Request, error: Exception) -> Response:
    if isinstance(error, Refused) and error.retry_after:
        address = neighbourhood(notes(request).arrival.address)
        await asyncio.sleep(site_of(request).patience.of_refusal(address))
    trouble = of(error)
    if trouble.status != 413:  # its body was given up on: there may be no more of it to wait for
        await read_refused(request)
    return respond(request, trouble)


async def _ours(request: Request, error: Exception) -> Response:
    """Our own fault: the log has everything, the answer its id. The outermost layer calls this."""
    log.error("request_failed", request_id=notes(request).request_id, exc_info=error)
    response = respond(request, of(error))
    headers = MutableHeaders(raw=response.raw_headers)
    dress(headers, notes(request), hsts=site_of(request).settings.hsts)
    return response


async def _store_away(request: Request, error: Exception) -> Response:
    """Nothing that was accepted is lost: an acceptance is told only after it is stored."""
    full = isinstance(error, StoreAway) and error.disk_full
    log.error("store_away", request_id=notes(request).request_id, reason=str(error))
    title = DISK_FULL if full else "The database of this server doesn't answer just now."
    await read_refused(request)
    return respond(request, Trouble(503, title, _TRY_AGAIN, retry_after=30 if full else 2))


async def _gone(_request: Request, _error: Exception) -> Response:
    """The client has gone; 499 is what nginx writes in its log for that."""
    return Response(status_code=499)


async def _unbuilt(request: Request, error: Exception) -> Response:
    """Without its bundle no page can be shown, not even the one that says so."""
    log.error("bundle_missing", reason=str(error))
    return PlainTextResponse("The pages are not built: run `make setup`.\n", 500)


def install(site: FastAPI) -> None:
    """Let every error that has a name be answered in words, and any other with an id."""
    for kind in (HTTPException, RequestValidationError, AskFirst, OutOfOrder, Refused,
                 ExerciseBroken, ExerciseErrors, BadArguments, BadName,
                 *OF_CLASSES, *MISSING):  # fmt: skip
        site.add_exception_handler(kind, _known)
    site.add_exception_handler(BundleMissing, _unbuilt)
    site.add_exception_handler(ClientDisconnect, _gone)
    site.add_exception_handler(StoreAway, _store_away)
    site.add_exception_handler(Exception, _ours)
