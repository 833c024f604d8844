"""Problems as the wire carries them: where, what, and what to write instead."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from app.jail.offer.refusals import Refusal

MOST = 50
"""As many problems as one report carries; a source with more has the first ones shown."""


def problem(
    kind: Literal["syntax", "policy"],
    refusal: Refusal,
    line: int | None = None,
    column: int | None = None,
    end_column: int | None = None,
) -> dict[str, Any]:
    """One problem, with the keys of `model.Problem`; lines and columns count from 1."""
    return {
        "kind": kind,
        "line": line,
        "column": column,
        "end_column": end_column,
        "message": refusal.message,
        "instead": refusal.instead,
    }


def column_of(line: str, byte_offset: int) -> int:
    """The column, from 1, of a place that Python counts in bytes of UTF-8 from 0."""
    if line.isascii():
        return byte_offset + 1
    return len(line.encode("utf-8", "surrogatepass")[:byte_offset].decode("utf-8", "replace")) + 1


def from_node(lines: Sequence[str], node: ast.AST, refusal: Refusal) -> dict[str, Any]:
    """A refusal at a node; one that goes on over several lines is marked on its first."""
    number = getattr(node, "lineno", None)
    if number is None:
        return problem("policy", refusal)
    text = lines[number - 1] if number <= len(lines) else ""
    column = column_of(text, node.col_offset)  # type: ignore[attr-defined] # it has a lineno
    if node.end_lineno == number:  # type: ignore[attr-defined]
        end = column_of(text, node.end_col_offset)  # type: ignore[attr-defined]
    else:
        end = len(text.rstrip()) + 1
    return problem("policy", refusal, number, column, max(end, column + 1))


def in_order(problems: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Problems by line and column, each sentence once a line."""
    seen: set[tuple[int | None, str]] = set()
    kept = []
    for one in sorted(problems, key=lambda p: (p["line"] or 0, p["column"] or 0)):
        key = (one["line"], one["message"])
        if key not in seen:
            seen.add(key)
            kept.append(one)
    return kept[:MOST]
