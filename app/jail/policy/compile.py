"""From the bytes a learner sent to code that can run, or to every problem that keeps it from it.

RestrictedPython's transformer looks at it; this room feeds it and words what it finds. Nothing here
raises for any input: what a source does to the compiler (recursion, memory) is a problem of the
source.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from types import CodeType
from typing import Any

from app.jail.offer import refusals
from app.jail.offer.refusals import Refusal
from app.jail.policy.bindings import RefusedNode
from app.jail.policy.mending import Mended, mend, parse
from app.jail.policy.pasted import NOTEBOOK, explain_paste, is_notebook
from app.jail.policy.problems import from_node, in_order, problem
from app.jail.policy.source_text import Undecodable, decode
from app.jail.policy.syntax_errors import explain_syntax
from app.jail.policy.transformer import LearnerPolicy

SOURCE_BYTES = 64 * 1024
Rewrite = Callable[[ast.Module], object]
"""Changes a parsed program in place before the policy sees it: how traced programs take notes."""

_TOO_DEEP = Refusal("An expression is nested too deeply.", "Split it into several lines.")


@dataclass(frozen=True)
class Compiled:
    """The code, or None and the problems; `normalised` says what was changed in pasted text.

    A problem has the keys of `model.Problem`: kind, line, column, end_column, message, instead.
    """

    code: CodeType | None
    problems: list[dict[str, Any]] = field(default_factory=list)
    normalised: list[str] = field(default_factory=list)


def compile_source(text: bytes, filename: str, rewrite: Rewrite | None = None) -> Compiled:
    """Compile a submission under the policy; every problem at once, in order of line and column."""
    if len(text) > SOURCE_BYTES:
        return Compiled(None, [problem("policy", refusals.TOO_LONG)])
    try:
        source, notes = decode(text)
    except Undecodable as error:
        return Compiled(None, [problem("syntax", error.refusal, line=error.line)])
    if not source.strip():
        return Compiled(None, [problem("policy", refusals.EMPTY)], notes)
    if is_notebook(source):
        return Compiled(None, [problem("syntax", NOTEBOOK, line=1)], notes)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of `x is 1`: the program runs all the same
            return _compile(source, filename, notes, rewrite)
    except (RecursionError, MemoryError, OverflowError):
        return Compiled(None, [problem("syntax", _TOO_DEEP)], notes)


def _compile(source: str, filename: str, notes: list[str], rewrite: Rewrite | None) -> Compiled:
    try:
        tree = parse(source, filename)
    except (SyntaxError, ValueError) as first:
        mended = mend(source)
        if not mended.notes:
            return Compiled(None, _syntax_problems(source, first), notes)
        compiled = _compile_mended(mended, source, filename, notes + mended.notes, rewrite)
        return replace(compiled, problems=[_as_typed(p, mended) for p in compiled.problems])
    return _visit(tree, source, filename, notes, rewrite)


def _compile_mended(
    mended: Mended, typed: str, filename: str, notes: list[str], rewrite: Rewrite | None
) -> Compiled:
    try:
        tree = ast.parse(mended.source, filename)
    except (SyntaxError, ValueError) as error:
        return Compiled(None, _syntax_problems(mended.source, error, typed), notes)
    return _visit(tree, mended.source, filename, notes, rewrite)


def _as_typed(found: dict[str, Any], mended: Mended) -> dict[str, Any]:
    """A problem of a mended source, at its columns in the text as it was typed."""
    line = found["line"]
    columns = {key: found[key] for key in ("column", "end_column") if found[key] is not None}
    return {
        **found,
        **{key: mended.column_as_typed(line, column) for key, column in columns.items()},
    }


def _visit(
    tree: ast.Module, source: str, filename: str, notes: list[str], rewrite: Rewrite | None
) -> Compiled:
    if not tree.body:
        return Compiled(None, [problem("policy", refusals.EMPTY)], notes)
    if rewrite is not None:
        rewrite(tree)
    return _restrict(tree, source, filename, notes)


def _restrict(tree: ast.Module, source: str, filename: str, notes: list[str]) -> Compiled:
    errors: list[str] = []
    try:
        LearnerPolicy(errors, [], {}).visit(tree)
        # RestrictedPython's own `compile` would have a program inherit that module's `from
        # __future__ import annotations`.
        code = None if errors else compile(tree, filename, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        return Compiled(None, [explain_syntax(source, error, source)], notes)
    return Compiled(code, _refused(source, errors), notes)


def _refused(source: str, errors: Iterable[str]) -> list[dict[str, Any]]:
    lines = source.split("\n")
    refused = [error for error in errors if isinstance(error, RefusedNode)]
    return in_order(from_node(lines, error.node, error.refusal) for error in refused)


def _syntax_problems(
    source: str, error: SyntaxError | ValueError, typed: str = ""
) -> list[dict[str, Any]]:
    """The syntax error in words, and with it what is off in the import lines, read one by one.

    Where the source was mended, `typed` is the text as it was, of which lines are shown.
    """
    pasted = explain_paste(typed or source)
    if pasted is not None:
        return [problem("syntax", pasted[0], line=pasted[1])]
    explained = explain_syntax(source, error, typed or source)
    return in_order([explained, *_refused(source, _import_lines(source))])


def _import_lines(source: str) -> list[str]:
    errors: list[str] = []
    for number, line in enumerate(source.split("\n"), 1):
        statement = line.lstrip()
        if not statement.startswith(("import ", "from ")):
            continue
        try:
            tree = ast.parse(statement)
        except (SyntaxError, ValueError):
            continue
        indent = len(line) - len(statement)
        for node in ast.walk(tree):
            if isinstance(node, (ast.stmt, ast.alias)):
                node.lineno = node.end_lineno = number
                node.col_offset += indent
                node.end_col_offset = (node.end_col_offset or 0) + indent
        LearnerPolicy(errors, [], {}).visit(tree)
    return errors
