"""The sentences of a Python module: its texts as a reader meets them, with {names} in the gaps."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

_OURS = {
    "ValueError",
    "TypeError",
    "KeyError",
    "LookupError",
    "AssertionError",
    "RuntimeError",
    "NotImplementedError",
    "OSError",
}
_SILENT = {"compile", "getLogger", "info", "warning", "debug", "error", "exception", "text", "bind"}
_WORDS = re.compile(r"[A-Za-z}’`)]['’`)]?[,.;:…?!]? +[A-Za-z{`(“\"]")
_CODE = re.compile(
    r"\(\?|\(\.|\\[bwsdAZ.(]|\|[a-z]|\w\[\w+, |^<|=\"|^[a-z-]+/[a-z-]+;|default-src|max-age=",
)


def sentences(source: str, *, raised: bool) -> Iterator[str]:
    """Every text of a module that reads like a sentence, in order.

    `raised` says that what is raised as a ValueError and the like reaches a reader, too.
    """
    seen = set()
    for text in _Texts(raised).of(ast.parse(source)):
        flat = " ".join(text.split())
        if flat not in seen and _WORDS.search(flat) and not _CODE.search(flat):
            seen.add(flat)
            yield flat


def docstrings(path: Path) -> Iterator[tuple[str, str]]:
    """The public functions of a file and their docstrings, in order."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node.name, ast.get_docstring(node) or ""


class _Texts:
    """Walks a tree and gives its texts: docstrings, annotations and what we say to us left out."""

    def __init__(self, raised: bool) -> None:
        self._raised = raised

    def of(self, node: ast.AST) -> Iterator[str]:
        if self._says_nothing(node):
            return
        text = written(node)
        if text is not None:
            yield text
            return
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "slice"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from self.of(child)

    def _says_nothing(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return True
        if isinstance(node, ast.Compare):
            return True
        if isinstance(node, ast.Call):
            return _called(node) in _SILENT or _is_list_of_names(node)
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            return not self._raised and _called(node.exc) in _OURS
        return False


def written(node: ast.AST | None) -> str | None:
    """The text of an expression that makes one, with {names} in the gaps; None for another."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(_piece(value) for value in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = written(node.left), written(node.right)
        if left is None and right is None:
            return None
        return (left or _gap(node.left)) + (right or _gap(node.right))
    return None


def _piece(node: ast.AST) -> str:
    if isinstance(node, ast.FormattedValue):
        return _gap(node.value)
    return written(node) or ""


def _gap(node: ast.AST) -> str:
    return "{" + _name(node) + "}"


def _name(node: ast.AST) -> str:
    """What stands in a gap, as short as it can be told."""
    if isinstance(node, ast.IfExp):
        either = [
            _name(way) if written(way) is None else written(way) for way in (node.body, node.orelse)
        ]
        return " | ".join(text for text in either if text)
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr.strip("_")
    if isinstance(node, ast.Subscript | ast.Starred):
        return _name(node.value)
    if isinstance(node, ast.Call):
        return _name_of_call(node)
    return written(node) or "…"


def _name_of_call(node: ast.Call) -> str:
    words = [text for text in map(written, node.args) if text]
    if _called(node) == "count" and words:
        return f"{words[0]}s, counted"
    if isinstance(node.func, ast.Attribute) and not node.args:
        return _name(node.func.value)
    return _name(node.args[0]) if node.args else _called(node)


def _is_list_of_names(node: ast.Call) -> bool:
    """ "exp sqrt log".split()"""
    made = node.func
    return isinstance(made, ast.Attribute) and made.attr == "split" and not node.args


def _called(node: ast.Call) -> str:
    return _name(node.func) if isinstance(node.func, ast.Name | ast.Attribute) else ""
