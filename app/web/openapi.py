"""The document of the interface: every status an operation may answer with, errors as RFC 9457."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from app.web.schemas import ProblemDetails

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


def errors(*statuses: int) -> Answers:
    """The refusals of an operation, beside those that any may answer with."""
    wanted = sorted({*statuses, 422, 500})
    return {n: {"model": ProblemDetails, "description": WORDS[n]} for n in wanted}


READS = errors(404)
WRITES = errors(400, 403, 404, 413, 429, 503)


def install(site: FastAPI) -> None:
    """Let the document say `application/problem+json` where that is what comes."""

    def document() -> dict[str, Any]:
        if site.openapi_schema is None:
            made = get_openapi(
                title=site.title, version=site.version, description=_ABOUT, routes=site.routes
            )
            for operation in _operations(made):
                for status, answer in operation["responses"].items():
                    if int(status) >= 400 and "application/json" in answer.get("content", {}):
                        content = answer["content"].pop("application/json")
                        answer["content"]["application/problem+json"] = content
            for name in ("HTTPValidationError", "ValidationError"):
                made["components"]["schemas"].pop(name, None)
            site.openapi_schema = made
        return site.openapi_schema

    site.openapi = document  # type: ignore[method-assign]


def _operations(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [operation for path in document["paths"].values() for operation in path.values()]


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
