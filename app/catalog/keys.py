"""What a key of exercise.toml may hold, each kind with the sentence for what is none of it.

docs/exercise-format.md promises these sentences to authors.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, NoReturn

from pydantic import BeforeValidator, PlainValidator
from pydantic_core import PydanticCustomError

from app.catalog import formulas
from app.model import AxisNames

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_AXIS = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_ +*/().-]*|\.\.\.")
_EXPRESSION = re.compile(r"[A-Za-z0-9_ +*/()-]{1,200}")


def _refuse(words: str) -> NoReturn:
    """Say what is wrong with a value; braces in the words are the author's own."""
    raise PydanticCustomError("exercise", "{words}", {"words": words})


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        _refuse("must be a string that is not empty.")
    return _sound(value)


def _text_or_none(value: object) -> str:
    return "" if value == "" else _text(value)


def _sound(text: str) -> str:
    too_much = formulas.complaint(text)
    if too_much:
        _refuse(too_much)
    return text


def one_of(*choices: str) -> PlainValidator:
    """One of these texts."""

    def chosen(value: object) -> str:
        if _text(value) not in choices:
            _refuse(f"is {value!r}; it must be one of {', '.join(choices)}.")
        return str(value)

    return PlainValidator(chosen)


def whole(least: int, most: int | None = None) -> PlainValidator:
    """A whole number of at least `least`, and at most `most` where that is given."""

    def number(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            _refuse(f"must be a whole number of {least} or more.")
        if most is not None and value > most:
            _refuse(f"must be a whole number from {least} to {most}.")
        return value

    return PlainValidator(number)


def between(least: float, most: float) -> PlainValidator:
    """A number between two bounds, both included."""

    def number(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            _refuse("must be a number.")
        if not least <= value <= most:
            _refuse(f"is {value:g}; it must be between {least:g} and {most:g}.")
        return float(value)

    return PlainValidator(number)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        _refuse("must be true or false.")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        _refuse('must be a list of strings, as in ["a", "b"].')
    return tuple(value)


def _visible(value: object) -> tuple[str, ...]:
    return _texts(value) or _refuse("must name one or two test cases.")


def _function(value: object) -> str:
    if not _IDENTIFIER.fullmatch(_text(value)):
        _refuse("must be the name of a Python function.")
    return str(value)


def _address(value: object) -> str:
    if value and not _text(value).startswith(("https://", "http://")):
        _refuse("must begin with https:// or http://.")
    return _text_or_none(value)


def _expression(value: object) -> str:
    if not _EXPRESSION.fullmatch(_text(value)):
        _refuse("may hold names, whole numbers, + - * // and brackets only.")
    return str(value)


def _axes(value: object) -> AxisNames | tuple[AxisNames, ...] | dict[str, AxisNames]:
    if isinstance(value, dict):
        return {key: _names(names) for key, names in value.items()}
    if isinstance(value, list) and value and all(isinstance(each, list) for each in value):
        return tuple(_names(part) for part in value)
    return _names(value)


def _names(value: object) -> AxisNames:
    names = value if isinstance(value, list) else [None]
    if not all(isinstance(each, str) and _AXIS.fullmatch(each) for each in names):
        _refuse('must be a list of axis names, as in ["seq_len", "d_model"].')
    return tuple(names)


def empty_as(usual: object) -> BeforeValidator:
    """An empty table is as good as none: it reads as `usual`."""
    return BeforeValidator(lambda value: usual if value == {} else value)


Text = Annotated[str, PlainValidator(_text)]
TextOrNone = Annotated[str, PlainValidator(_text_or_none)]
Texts = Annotated[tuple[str, ...], PlainValidator(_texts)]
Visible = Annotated[tuple[str, ...], PlainValidator(_visible)]
Function = Annotated[str, PlainValidator(_function)]
Address = Annotated[str, PlainValidator(_address)]
Expression = Annotated[str, PlainValidator(_expression)]
AnyAxes = Annotated[Any, PlainValidator(_axes)]
Flag = Annotated[bool, PlainValidator(_flag)]
Seconds = Annotated[float, between(0.1, 60)]
