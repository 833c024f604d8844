"""The gate that every request passes: its id, its limits, and the headers of every answer.

```
 request ─▶ arrival, id ─▶ foreign page? 403 ─▶ body over 512 KiB? 413 ─▶ routes
 answer  ◀─ headers, cookie, one log line ◀──────────────────────────────────┘
```
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, MutableMapping
from typing import Any

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.model import LearnerId
from app.model.bounds import BODY_BYTES
from app.web.arrival import Arrival, arrival, foreign, is_loopback, is_own_name

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
_STATE = "mlgrind"
DIGITS = 9
"""More of them no length of a body has."""

ELSEWHERE = (
    "This server is for its own machine alone, so it answers to the name localhost only. "
    "Open http://127.0.0.1 with its port, or set MLGRIND_PUBLIC_URL to the address you use."
)

log = structlog.get_logger()


class Notes:
    """What one request carries along; `nonce` is made when a page asks for it.

    `submission` is the one it was about, for the log.
    `session`: the learner of the cookie that came, and whether to send it again; None: not read.
    `made`: how many bytes were made for it, before they were packed; `leave` is told them.
    """

    def __init__(self, arrived: Arrival) -> None:
        self.arrival = arrived
        self.request_id = secrets.token_hex(8)
        self.submission: str | None = None
        self.cookie: str | None = None
        self.session: tuple[LearnerId | None, bool] | None = None
        self.noindex = False
        self.who: Callable[[], object] = lambda: None
        self.body_bytes = BODY_BYTES
        self.made = 0
        self.leave: Callable[[int], None] | None = None
        self.frame_ancestors: tuple[str, ...] = ()
        self.form_action: tuple[str, ...] = ()
        self.opener = "same-origin"
        self._nonce: str | None = None

    def answered(self, length: int = 0) -> None:
        """The work is done, whatever is still to be sent; `length` is that of the answer's body."""
        leave, self.leave = self.leave, None
        if leave is not None:
            leave(max(length, self.made))

    @property
    def nonce(self) -> str:
        """The page's nonce: the editor's styles carry it."""
        if self._nonce is None:
            self._nonce = secrets.token_urlsafe(16)
        return self._nonce

    @property
    def has_nonce(self) -> bool:
        """Whether the page asked for one; then it must not be kept."""
        return self._nonce is not None


def notes(request: Request) -> Notes:
    """The notes of a request."""
    found = request.scope[_STATE]
    assert isinstance(found, Notes)  # noqa: S101 (the guard stands before every route)
    return found


def dress(headers: MutableHeaders, carried: Notes, *, hsts: bool) -> None:
    """Put the headers on that every answer wears."""
    style = f"'self' 'nonce-{carried.nonce}'" if carried.has_nonce else "'self'"
    framed_by = " ".join(carried.frame_ancestors) or "'none'"
    sent_to = " ".join(("'self'", *carried.form_action))
    headers.setdefault(
        "Content-Security-Policy",
        f"default-src 'none'; script-src 'self'; style-src {style}; "
        "style-src-attr 'unsafe-inline'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; base-uri 'none'; "
        f"form-action {sent_to}; frame-ancestors {framed_by}",
    )
    headers.setdefault("X-Content-Type-Options", "nosniff")
    headers.setdefault("Referrer-Policy", "same-origin")
    headers.setdefault("Cross-Origin-Opener-Policy", carried.opener)
    headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    headers.setdefault(
        "Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
    )
    headers.setdefault("Cache-Control", "no-store")
    headers["X-Request-Id"] = carried.request_id
    if hsts and carried.arrival.secure:
        headers["Strict-Transport-Security"] = "max-age=31536000"
    if carried.cookie is not None:
        headers.append("Set-Cookie", carried.cookie)


class Guard:
    """The middleware. `proxies`, `public_url` and `own_only` are the settings of those names."""

    def __init__(
        self,
        app: ASGIApp,
        proxies: tuple[str, ...],
        public_url: str | None,
        hsts: bool,
        own_only: bool = False,
    ) -> None:
        self._app = app
        self._proxies = proxies
        self._public_url = public_url
        self._hsts = hsts
        self._own_only = own_only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request through."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        carried = Notes(arrival(scope, self._proxies, self._public_url))
        scope[_STATE] = carried
        headers = Headers(scope=scope)
        unsafe = scope["method"] not in _SAFE_METHODS
        scope["mlgrind.foreign"] = unsafe and foreign(carried.arrival, headers, self._public_url)
        peer, host = str((scope.get("client") or ("",))[0]), headers.get("host", "")
        scope["mlgrind.elsewhere"] = self._own_only and is_loopback(peer) and not is_own_name(host)
        status = 500
        began = time.monotonic()

        async def dressed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status, worn = message["status"], MutableHeaders(scope=message)
                dress(worn, carried, hsts=self._hsts)
                carried.answered(int(worn.get("content-length", 0)))
            await send(message)

        # Nobody has to write a route twice for HEAD: the server leaves the body out by itself.
        inner = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
        with structlog.contextvars.bound_contextvars(request_id=carried.request_id):
            try:
                await self._app(inner, _limited(receive, headers, carried), dressed)
            finally:
                carried.answered()
                _log(inner, carried, status, time.monotonic() - began)


async def refuse_elsewhere(request: Request) -> None:
    """Refuse what came under another name than this machine's own, where it serves itself alone."""
    if request.scope["mlgrind.elsewhere"]:
        raise HTTPException(403, ELSEWHERE)


async def refuse_foreign(request: Request) -> None:
    """Refuse what a page of another site made a browser send; for the whole app."""
    if request.scope["mlgrind.foreign"]:
        raise HTTPException(403, "This request came from a page of another site.")


def _too_long(most: int) -> str | None:
    """What to say of a body that a page of files does not take; None for the usual words."""
    return f"A file for this page can be up to {most // 2**20} MiB." if most > BODY_BYTES else None


def _limited(receive: Receive, headers: Headers, carried: Notes) -> Receive:
    """The body, refused where it is longer than the route takes: the wall may allow more."""
    seen = 0
    declared = headers.get("content-length", "")
    endless = len(declared) > DIGITS
    length = int(declared) if declared.isdecimal() and not endless else 0

    async def limited() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if endless or max(length, seen) > carried.body_bytes:
            raise HTTPException(413, _too_long(carried.body_bytes))
        return message

    return limited


def _log(scope: MutableMapping[str, Any], carried: Notes, status: int, took_s: float) -> None:
    """One line a request. The route's pattern stands for its path: a path may hold a secret."""
    route = scope.get("route")
    log.info(
        "request",
        method=scope["method"],
        route=getattr(route, "path", "none"),
        status=status,
        ms=round(took_s * 1000, 1),
        **({"submission": carried.submission} if carried.submission else {}),
    )
