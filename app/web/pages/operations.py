"""The operations of the interface as the page at /docs lists them, read from the document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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
