"""Templates to bytes, and bytes to answers: the page's shell, entity tags, compression, JSON."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from app.grading.sentences.phrases import count
from app.report.shared_values import spell_report
from app.web.guard import notes
from app.web.html import text
from app.web.html.assets import Assets, accepted
from app.web.html.code import highlighted
from app.web.html.markdown import Markdown
from app.web.html.one_by_one import OneByOne
from app.web.html.page_pieces import LEVEL, Packer, packed_whole
from app.web.html.remembered import Remembered
from app.web.html.standing_alone import stands_alone

THEMES = ("system", "light", "dark")
_COMPRESSED_FROM = 1_200
_HTML = "text/html; charset=utf-8"
_ANSWER_LEVEL = 9
_SMALL_BYTES = 1 << 16
"""Answers up to here are compressed as well as can be: that takes a tenth of a millisecond."""

_DRAWN_ONCE: ContextVar[list[str] | None] = ContextVar("drawn_once", default=None)
"""The parts of the page being made that are the same for everybody."""

PAGES_AT_ONCE = 3
"""Python runs one thread at a time: a verdict waits for fewer when fewer make pages."""

RUNS = f"Python {sys.version_info[0]}.{sys.version_info[1]}"
"""What programs run on here: the jail is started with the server's own interpreter."""


class Renderer:
    """Renders templates; everything that is no markup is escaped and made visible."""

    def __init__(self, templates: Path, assets: Assets, markdown: Markdown) -> None:
        self.markdown = markdown
        self._at_once = BoundedSemaphore(PAGES_AT_ONCE)
        self._environment = Environment(
            loader=FileSystemLoader(templates),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=text.finalize,
        )
        self._drawn: Remembered[Markup] = Remembered(size=len)
        self._under_way = OneByOne()
        self._packer = Packer()
        self._environment.globals.update(asset=assets.entry, runs=RUNS, once=self._once)
        self._environment.filters.update(
            ticks=text.ticks,
            unaltered=text.unaltered,
            verbatim=text.verbatim,
            outcome=text.outcome,
            clock=text.clock,
            day=text.day,
            moment=text.moment,
            milliseconds=text.milliseconds,
            lasting=text.lasting,
            code=highlighted,
            markdown=markdown.rendered,
            markdown_inline=markdown.rendered_inline,
            count_of=count,
            stands_alone=stands_alone,
            data=data_block,
        )

    def _once(self, *version: str, caller: Callable[[], Markup]) -> Markup:
        """A part of a template that is the same for everybody, drawn once for each version of it.

        `{% call once("rows", exercise.slug, exercise.digest) %} … {% endcall %}`. Where a formula
        could not be set, it is drawn again the next time.
        """
        faults, name = self.markdown.faults, repr(version)
        with self._under_way.of(name):
            drawn = self._drawn.get(
                name, lambda _: caller(), lambda: self.markdown.faults == faults
            )
        parts = _DRAWN_ONCE.get()
        if parts is not None:
            parts.append(str(drawn))
        return drawn

    def part(self, template: str, **context: Any) -> str:
        """A part of a page as text, for the answers that carry `html`."""
        return self._environment.get_template(template).render(**context)

    def page(
        self, request: Request, template: str, *, status: int = 200, **context: Any
    ) -> Response:
        """A whole page. One that needs no nonce carries an entity tag and may be a 304.

        What answers a form (it may hold a recovery code) has none and is kept nowhere.
        """
        carried = notes(request)
        theme = request.cookies.get("theme", "system")
        context |= {
            "path": request.url.path,
            "theme": theme if theme in THEMES else "system",
            "split": _split(request.cookies.get("split")),
            "request_id": carried.request_id,
            "carried": carried,
            "who": carried.who(),
        }
        parts: list[str] = []
        drawing = _DRAWN_ONCE.set(parts)
        try:
            with self._at_once:
                body = self._environment.get_template(template).render(context)
        finally:
            _DRAWN_ONCE.reset(drawing)
        read = request.method == "GET"
        kept = "private, no-cache" if read else "no-store"
        headers = {"Cache-Control": kept, "Vary": "Cookie, Accept-Encoding"}
        if carried.noindex:
            headers["X-Robots-Tag"] = "noindex"
        data = body.encode("utf-8", "backslashreplace")
        carried.made = len(data)
        if status == 200 and read and not carried.has_nonce:
            tag = f'W/"{hashlib.sha256(data).hexdigest()[:24]}"'
            headers["ETag"] = tag
            if same_tag(request, tag):
                return Response(status_code=304, headers=headers)
        if parts and takes_gzip(request):
            headers["Content-Encoding"] = "gzip"
            return Response(self._packer.packed(body, parts), status, headers, _HTML)
        return packed(request, data, _HTML, status, headers)


def same_tag(request: Request, tag: str) -> bool:
    """Whether the client holds this very answer (weak comparison, RFC 9110 section 13.1.2)."""
    wanted = request.headers.get("if-none-match", "")
    plain = tag.removeprefix("W/")
    return any(part.strip().removeprefix("W/") == plain for part in wanted.split(","))


def answer(
    request: Request,
    content: Mapping[str, Any],
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    media_type: str = "application/json",
) -> Response:
    """A JSON answer; in ASCII, so that a lone surrogate passes as its escape."""
    body = spell_report(content).encode("ascii")
    return packed(request, body, media_type, status, headers or {})


def packed(
    request: Request, body: bytes, media_type: str, status: int, headers: Mapping[str, str]
) -> Response:
    """The answer, gzipped where that helps and the client takes it."""
    notes(request).made = len(body)
    found = dict(headers)
    found.setdefault("Vary", "Accept-Encoding")
    if len(body) >= _COMPRESSED_FROM and takes_gzip(request):
        body = packed_whole(body, _ANSWER_LEVEL if len(body) <= _SMALL_BYTES else LEVEL)
        found["Content-Encoding"] = "gzip"
    return Response(body, status, found, media_type)


def takes_gzip(request: Request) -> bool:
    """Whether the client takes gzip."""
    return "gzip" in accepted(request)


def data_block(value: Mapping[str, Any]) -> Markup:
    """An object for `<script type="application/json">`: nothing in it can end the element."""
    written = json.dumps(value, allow_nan=False)
    for sign in "<>&":
        written = written.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(written)  # noqa: S704 (no sign that HTML knows is left)


def _split(cookie: str | None) -> int | None:
    """Where the learner left the divider, in percent."""
    if cookie is None or not cookie.isascii() or not cookie.isdecimal() or len(cookie) > 2:
        return None
    return int(cookie) if 20 <= int(cookie) <= 80 else None
