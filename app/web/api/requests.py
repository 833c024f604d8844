"""What requests carry: the texts of JSON bodies and of forms, with every byte a learner may type.

A lone surrogate or a NUL is no reason to refuse a request: it is a source like any other, and gets
its verdict. Only what is no JSON or no form at all is refused, in words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any
from urllib.parse import unquote_to_bytes

from fastapi import Request
from pydantic import BaseModel, Field, PlainValidator, WithJsonSchema
from starlette.exceptions import HTTPException

from app.web.html.text import as_source, as_text, unix_lines

_LONE = re.compile("[\ud800-\udfff]")
_FORM = "application/x-www-form-urlencoded"
MOST_FIELDS = 100


def _source(value: object) -> bytes:
    if not isinstance(value, str):
        raise ValueError("this must be a text")
    return as_source(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("this must be a text")
    return _LONE.sub("\ufffd", value)


SourceText = Annotated[
    bytes,
    PlainValidator(_source),
    WithJsonSchema({"type": "string", "description": "Python source; up to 64 KiB are run."}),
]
Text = Annotated[str, PlainValidator(_text), WithJsonSchema({"type": "string"})]


class RunBody(BaseModel):
    """A source to try on the visible cases, one of them, or own arguments."""

    source: SourceText
    case: Text | None = Field(None, description="Name of one visible case or example.")
    arguments: Text | None = Field(None, description="Own arguments, as Python source.")
    trace: Text | None = Field(
        None, description='The case whose shapes are traced; the exercise\'s own, "" for none.'
    )
    live: bool = Field(False, description="Run while typing: gives way to everything else.")
    html: bool = Field(False, description="Also give the report as HTML.")


class SubmissionBody(BaseModel):
    """A source to be judged on all six tests."""

    source: SourceText
    html: bool = Field(False, description="Also give the report as HTML.")


class HintBody(BaseModel):
    """The hint to open; the next one, or one that is open already."""

    number: int = Field(ge=1, le=100)


class DraftBody(BaseModel):
    """A text as it is typed: `base` is the version it grew out of, `device` a tab's own id."""

    source: SourceText
    base: Text | None = None
    device: Text = ""


class FollowUpBody(BaseModel):
    """An answer to a follow-up question, counted from 1."""

    number: int = Field(ge=1, le=100)
    text: Text
    html: bool = False


class NameBody(BaseModel):
    """What the learner wants to be called; "" for nothing."""

    name: Text


class CodeBody(BaseModel):
    """A recovery code."""

    code: Text


class RecoverBody(CodeBody):
    """A recovery code to use; with `join`, what this device did comes along."""

    join: bool = False


class Form:
    """The fields of a form as bytes; a field that came twice counts once, the last time."""

    def __init__(self, fields: Mapping[str, bytes]) -> None:
        self._fields = fields

    def __contains__(self, name: str) -> bool:
        """Whether the form has such a field."""
        return name in self._fields

    def text(self, name: str) -> str:
        """A field as text, "" where it is missing."""
        return _LONE.sub("\ufffd", as_text(unix_lines(self._fields.get(name, b""))))

    def number(self, name: str) -> int:
        """A field as a number; 0 where it is none."""
        found = self.text(name)
        return int(found) if found.isascii() and found.isdecimal() and len(found) < 6 else 0

    def numbered(self, prefix: str) -> dict[int, str]:
        """The fields "prefix1", "prefix2", … that hold something."""
        names = (name for name in self._fields if name.startswith(prefix))
        numbers = {name: name.removeprefix(prefix) for name in names}
        return {int(n): self.text(name) for name, n in numbers.items() if n.isdecimal()}

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


async def form(request: Request) -> Form:
    """The form of a request. Raises 400 and 415 for what is none.

    The fields are decoded here because a framework's form reader replaces the bytes that are no
    UTF-8, and those are the learner's to be told about.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in {_FORM, ""}:
        raise HTTPException(415, f"A form is sent as {_FORM}.")
    body = await request.body()
    parts = body.split(b"&") if body else []
    if len(parts) > MOST_FIELDS:
        raise HTTPException(400, "This form has more fields than any page of ours.")
    fields: dict[str, bytes] = {}
    for part in parts:
        name, _, value = part.replace(b"+", b" ").partition(b"=")
        fields[unquote_to_bytes(name).decode("utf-8", "replace")] = unquote_to_bytes(value)
    found = Form(fields)
    request.scope["mlgrind.form"] = found
    return found


def sent_form(scope: Mapping[str, Any]) -> Form | None:
    """The form that was read of a request, for a page that has to give it back."""
    found = scope.get("mlgrind.form")
    return found if isinstance(found, Form) else None
