"""What the JSON bodies of requests carry, with every letter a learner may type.

A lone surrogate or a NUL is no reason to refuse a request: it is a source like any other, and gets
its verdict. Only what is no JSON at all is refused, in words.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field, PlainValidator, WithJsonSchema

from app.service.small_inputs import MOST_NUMBER
from app.web.html.text import as_source, whole_letters


def _source(value: object) -> bytes:
    if not isinstance(value, str):
        raise ValueError("this must be a text")
    return as_source(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("this must be a text")
    return whole_letters(value)


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
    draw: int | None = Field(
        None, ge=0, lt=MOST_NUMBER, description="Number of a random input to try."
    )
    smallest: bool = Field(False, description="Try the smallest random input where it is off.")
    trace: Text | None = Field(
        None,
        description='The case to speak of and to trace; the first that fails, "" for no trace.',
    )
    live: bool = Field(False, description="Run while typing: gives way to everything else.")
    html: bool = Field(False, description="Also give the report as HTML.")


class SubmissionBody(BaseModel):
    """A source to be judged on all six tests."""

    source: SourceText
    html: bool = Field(False, description="Also give the report as HTML.")
    apart: bool = Field(
        False,
        description="Leave arguments, outputs and expected outputs out of `tests`, and give their"
        " addresses in the HTML.",
    )
    attempt: str | None = Field(
        None, max_length=100, description="What a refusal gave: the first try's moment counts."
    )
    name: str | None = Field(
        None, max_length=1000, description="Your name, where the site asks for it once."
    )
    ask: bool = Field(
        False, description="Ask (409) before the first late try of an assignment, and the last."
    )


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
