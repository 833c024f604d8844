"""What a form carries: its fields as bytes, so that every byte a learner may type arrives.

A byte that is no UTF-8, or a NUL, is no reason to refuse a form: its code is a source like any
other, and gets its verdict. Only what is no form at all is refused, in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import unquote_to_bytes

from fastapi import Request
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from app.model.bounds import FORM_DIGITS, FORM_FIELDS
from app.web.html.text import as_text, unix_lines, whole_letters

_FORM = "application/x-www-form-urlencoded"


class Form:
    """The fields of a form as bytes; a field that came twice counts once, the last time."""

    def __init__(self, fields: Mapping[str, bytes]) -> None:
        self._fields = fields

    def __contains__(self, name: str) -> bool:
        """Whether the form has such a field."""
        return name in self._fields

    def text(self, name: str) -> str:
        """A field as text, "" where it is missing."""
        return whole_letters(as_text(unix_lines(self._fields.get(name, b""))))

    def number(self, name: str) -> int:
        """A field as a number; 0 where it is none."""
        return _number(self.text(name)) or 0

    def numbered(self, prefix: str) -> dict[int, str]:
        """The fields "prefix1", "prefix2", … that hold something."""
        found: dict[int, str] = {}
        for name in self._fields:
            number = _number(name.removeprefix(prefix)) if name.startswith(prefix) else None
            if number is not None:
                found[number] = self.text(name)
        return found

    def names(self) -> tuple[str, ...]:
        """The names of all fields, in the order in which they came."""
        return tuple(self._fields)

    @property
    def others(self) -> dict[str, str]:
        """All fields but the code, as text: what else a page has to give back."""
        return {name: self.text(name) for name in self._fields if name != "source"}

    @property
    def base(self) -> str | None:
        """The version of the draft that the page opened with, if it was one."""
        return self.text("base") or None

    @property
    def source(self) -> bytes | None:
        """The code in the editor, byte for byte but for the line ends browsers make."""
        found = self._fields.get("source")
        return None if found is None else unix_lines(found)


def _number(text: str) -> int | None:
    """A whole number of few digits; None for anything else: Python refuses to read long ones."""
    is_one = text.isascii() and text.isdecimal() and len(text) <= FORM_DIGITS
    return int(text) if is_one else None


def _kind(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def form(request: Request) -> Form:
    """The form of a request. Raises 400 and 415 for what is none.

    The fields are decoded here because a framework's form reader replaces the bytes that are no
    UTF-8, and those are the learner's to be told about.
    """
    if _kind(request) not in {_FORM, ""}:
        raise HTTPException(415, f"A form is sent as {_FORM}.")
    body = await request.body()
    parts = body.split(b"&") if body else []
    if len(parts) > FORM_FIELDS:
        raise HTTPException(400, "This form has more fields than any page of ours.")
    fields: dict[str, bytes] = {}
    for part in parts:
        name, _, value = part.replace(b"+", b" ").partition(b"=")
        fields[unquote_to_bytes(name).decode("utf-8", "replace")] = unquote_to_bytes(value)
    found = Form(fields)
    request.scope["mlgrind.form"] = found
    return found


async def read_refused(request: Request) -> None:
    """Read the form of a request that was refused before that, so that its page gives it back.

    One that is too long or broken off stays unread.
    """
    unread = sent_form(request.scope) is None and request.method == "POST"
    if unread and _kind(request) == _FORM:
        with suppress(HTTPException, ClientDisconnect):
            await form(request)


def sent_form(scope: Mapping[str, Any]) -> Form | None:
    """The form that was read of a request, for a page that has to give it back."""
    found = scope.get("mlgrind.form")
    return found if isinstance(found, Form) else None
