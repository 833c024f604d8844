"""What is off in a request's fields, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def field_errors(errors: Sequence[Any]) -> list[dict[str, str]]:
    """pydantic's complaints without the input: it may hold anything, and it is the sender's own."""
    told = []
    for each in errors:
        place = ".".join(str(part) for part in each["loc"] if part != "body") or "body"
        if each["type"] == "json_invalid":
            told.append({"field": "body", "message": "this is not JSON"})
        elif each["type"] in {"model_attributes_type", "dict_type", "model_type"}:
            told.append({"field": place, "message": "send a JSON object as application/json"})
        else:
            told.append({"field": place, "message": _words(each)})
    return told


def _words(each: Mapping[str, Any]) -> str:
    if each["type"] == "missing":
        return "this is missing"
    message = str(each["msg"]).removeprefix("Value error, ")
    return message[:1].lower() + message[1:]
