"""Which names a piece of a program stores and reads, for the notes of `rewriter`."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TypeAlias

MAX_NAMES = 12
_ABOUT = frozenset(["shape", "ndim", "size", "dtype"])

Reads: TypeAlias = "tuple[tuple[str, ...], tuple[str, ...]]"
"""Names whose values are read, and the simple names of what is called."""


def parameters(arguments: ast.arguments) -> list[ast.arg]:
    """The named parameters of a function."""
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


def name_of(node: ast.AST) -> str | None:
    """ "x", or "self.x"; None for what has no such name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return None


def load(name: str) -> ast.expr:
    """The expression that reads such a name."""
    base, _, attribute = name.partition(".")
    loaded: ast.expr = ast.Name(base, ast.Load())
    return ast.Attribute(loaded, attribute, ast.Load()) if attribute else loaded


def targets_of(targets: Iterable[ast.expr]) -> list[tuple[str, bool]]:
    """Names in order, and whether only a part of what they hold is stored."""
    found: list[tuple[str, bool]] = []
    for target in targets:
        if isinstance(target, ast.Tuple | ast.List):
            found += targets_of(target.elts)
        elif isinstance(target, ast.Starred):
            found += targets_of([target.value])
        else:
            part = isinstance(target, ast.Subscript)
            while isinstance(target, ast.Subscript):
                target = target.value
            name = name_of(target)
            if name is not None:
                found.append((name, part))
    return found


def reads_of(node: ast.AST | None) -> Reads:
    """The names whose values a piece of code reads, and the simple names of what it calls."""
    reads: dict[str, None] = {}
    calls: dict[str, None] = {}
    waiting: list[ast.AST | None] = [node]
    while waiting:
        at = waiting.pop()
        if isinstance(at, ast.Call):
            _called(at, calls, waiting)
        elif isinstance(at, ast.Attribute):
            if at.attr not in _ABOUT:
                name = name_of(at)
                if name is not None:
                    reads[name] = None
                waiting.append(at.value)
        elif isinstance(at, ast.Name):
            reads[at.id] = None
        elif at is not None:
            waiting += ast.iter_child_nodes(at)
    return tuple(reads)[:MAX_NAMES], tuple(calls)[:MAX_NAMES]


def _called(call: ast.Call, calls: dict[str, None], waiting: list[ast.AST | None]) -> None:
    function = call.func
    if isinstance(function, ast.Name):
        calls[function.id] = None
        if function.id == "len":
            return
    elif isinstance(function, ast.Attribute):
        calls[function.attr] = None
        waiting.append(function.value)
    else:
        waiting.append(function)
    waiting += [*call.args, *(keyword.value for keyword in call.keywords)]
