"""The document of the interface: every status an operation may answer with, errors as RFC 9457."""

from __future__ import annotations

from typing import Any, TypeAlias

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from app.web.api.responses import ProblemDetails
from app.web.problems import MEANINGS

Answers: TypeAlias = dict[int | str, dict[str, Any]]

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
    return {n: {"content": _PROBLEM, "description": MEANINGS[n]} for n in wanted}


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
