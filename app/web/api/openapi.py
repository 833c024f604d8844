"""The document of the interface: every status an operation may answer with, errors as RFC 9457."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from app.web.api.responses import ProblemDetails

Answers: TypeAlias = dict[int | str, dict[str, Any]]

WORDS = {
    400: "The body is no JSON.",
    403: "The request came from a page of another site.",
    404: "There is no such thing, or it is somebody else's.",
    409: "It is not its turn yet.",
    413: "The body is over 512 KiB.",
    422: "The body or a parameter is not what is asked for.",
    429: "Too many at once; see `Retry-After`.",
    500: "Our own fault; the id is in the log.",
    503: "No place in line, or the exercise is being repaired; see `Retry-After`.",
}
_ABOUT = (
    "Exercises, submissions and reports of ML Grind. A learner is a cookie; a client without one "
    "reads its own submissions with the `read_token` that the answer carried."
)


_PROBLEM = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}}


def errors(*statuses: int) -> Answers:
    """The refusals of an operation, beside those that any may answer with.

    They name their schema: for a `model` FastAPI would make a validator each, at every start.
    """
    wanted = sorted({*statuses, 422, 500})
    return {n: {"content": _PROBLEM, "description": WORDS[n]} for n in wanted}


READS = errors(404)
WRITES = errors(400, 403, 404, 413, 429, 503)


def install(site: FastAPI) -> None:
    """Let the document hold the schema that all refusals name."""

    def document() -> dict[str, Any]:
        if site.openapi_schema is None:
            made = get_openapi(
                title=site.title, version=site.version, description=_ABOUT, routes=site.routes
            )
            made["components"]["schemas"]["ProblemDetails"] = ProblemDetails.model_json_schema()
            site.openapi_schema = made
        return site.openapi_schema

    site.openapi = document  # type: ignore[method-assign]


@dataclass(frozen=True)
class Operation:
    """One operation as the page of the interface shows it."""

    method: str
    path: str
    summary: str
    text: str
    fields: tuple[tuple[str, str, bool, str], ...]
    parameters: tuple[tuple[str, str, bool, str], ...]
    answers: tuple[tuple[str, str], ...]


def operations(document: dict[str, Any]) -> tuple[Operation, ...]:
    """All operations in the document's order."""
    schemas = document["components"]["schemas"]
    return tuple(
        Operation(
            method.upper(),
            path,
            operation["summary"],
            operation.get("description", ""),
            _fields(operation, schemas),
            _parameters(operation),
            tuple((status, a["description"]) for status, a in operation["responses"].items()),
        )
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    )


def _fields(
    operation: dict[str, Any], schemas: dict[str, Any]
) -> tuple[tuple[str, str, bool, str], ...]:
    body = operation.get("requestBody")
    if body is None:
        return ()
    name = body["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[-1]
    needed = schemas[name].get("required", ())
    return tuple(
        (field, _type(schema), field in needed, schema.get("description", ""))
        for field, schema in schemas[name]["properties"].items()
    )


def _parameters(operation: dict[str, Any]) -> tuple[tuple[str, str, bool, str], ...]:
    return tuple(
        (p["name"], f"{_type(p['schema'])}, {p['in']}", p["required"], p.get("description", ""))
        for p in operation.get("parameters", ())
        if p["in"] != "path"
    )


def _type(schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return " or ".join(_type(each) for each in schema["anyOf"])
    return str(schema.get("type", "object"))
