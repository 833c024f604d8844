"""NumPy's shape errors with the operands named: which array has which shape, where they clash."""

from __future__ import annotations

import ast
from types import FrameType

from app.jail.explain import einsum
from app.jail.explain.clash import Clash, Operand
from app.jail.explain.expressions import (
    MISSING,
    Place,
    failing_node,
    shape_of,
    statement_at,
    value_of,
)
from app.jail.explain.plain import gist
from app.jail.explain.plain_words import NOTHING, PlainWords
from app.jail.explain.shape_errors import WORDS

_TEXT = 40
_MOST = 6


def operands_words(
    error: BaseException, message: str, frame: FrameType, source: str, place: Place
) -> PlainWords:
    """An exception by its operands and their shapes; a gist alone where no shape says more.

    `place` is that of the failing instruction in `source`; values are read from `frame`.
    """
    node = failing_node(source, place)
    operands = [] if node is None else _operands(node, frame)[:_MOST]
    if isinstance(error, (ValueError, IndexError, TypeError)):
        found = _by_shapes(message, node, operands, frame, source, place)
        if found.gist:
            return found
    if isinstance(error, KeyError):
        return PlainWords(f"the dict has no key {message[:_TEXT]}")
    return PlainWords(gist(message, _about(node, message) or [one.text for one in operands]))


def _about(node: ast.AST | None, message: str) -> list[str]:
    """What is looked up or called, where an exception is about that alone."""
    if isinstance(node, ast.Attribute):
        return [_text(node.value)]
    if isinstance(node, ast.Call) and "object is not callable" in message:
        return [_text(node.func)]
    return []


def _by_shapes(
    message: str,
    node: ast.AST | None,
    operands: list[Operand],
    frame: FrameType,
    source: str,
    place: Place,
) -> PlainWords:
    if "to unpack" in message:
        return _unpacking(frame, source, place)
    subscripts = einsum.subscripts_of(node)
    if subscripts is not None and isinstance(node, ast.Call):
        return einsum.words(subscripts, _operands(_without_first(node), frame))
    for pattern, words in WORDS:
        match = pattern.search(message)
        if match:
            return words(Clash(match, operands, "" if node is None else _whole(node)))
    return NOTHING


def _without_first(node: ast.Call) -> ast.Call:
    return ast.Call(node.func, node.args[1:], [])


def _whole(node: ast.AST) -> str:
    """The failing expression in backticks, "" for a statement or a long one."""
    if not isinstance(node, ast.expr):
        return ""
    text = ast.unparse(node)
    return f"`{text}`" if len(text) <= _TEXT and "`" not in text else ""


# -------------------------------------------------------------------- operands


def _operands(node: ast.AST, frame: FrameType) -> list[Operand]:
    return [Operand(_text(part), shape_of(value_of(part, frame))) for part in _parts(node, frame)]


def _parts(node: ast.AST, frame: FrameType) -> list[ast.expr]:
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.AugAssign):
        return [node.target, node.value]
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.Subscript):
        return [node.value]
    if isinstance(node, ast.Call):
        return _arguments(node, frame)
    if isinstance(node, (ast.For, ast.comprehension)):
        return [node.iter]
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        return [node.test]
    return [node] if isinstance(node, ast.expr) else []


def _arguments(node: ast.Call, frame: FrameType) -> list[ast.expr]:
    """The arrays a call works on: the object of a method, the arguments, the items of a list."""
    arguments = [a for a in node.args if not isinstance(a, ast.Starred)]
    first = arguments[0] if arguments else None
    if isinstance(first, (ast.List, ast.Tuple)) and not _is_method(node, frame):
        return list(first.elts)
    if isinstance(first, ast.Name) and type(items := value_of(first, frame)) in (list, tuple):
        return [
            ast.Subscript(first, ast.Constant(i), ast.Load()) for i in range(min(len(items), _MOST))
        ]
    if _is_method(node, frame) and isinstance(node.func, ast.Attribute):
        return [node.func.value, *arguments]
    return [a for a in arguments if not isinstance(a, ast.Constant)]


def _is_method(node: ast.Call, frame: FrameType) -> bool:
    if not isinstance(node.func, ast.Attribute):
        return False
    value = value_of(node.func.value, frame)
    return shape_of(value) is not None or (
        value is MISSING and not isinstance(node.func.value, ast.Name)
    )


def _text(node: ast.expr) -> str:
    text = ast.unparse(node)
    return f"`{text if len(text) <= _TEXT else text[: _TEXT - 1] + '…'}`"


def _unpacking(frame: FrameType, source: str, place: Place) -> PlainWords:
    statement = statement_at(source, place[0])
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Tuple):
        return NOTHING
    given, names = statement.value, len(statement.targets[0].elts)
    # Values are shown of shapes only: any other tuple may hold those of a hidden test case.
    if isinstance(given, ast.Attribute) and given.attr == "shape":
        shape = shape_of(value_of(given.value, frame))
        number, said = len(shape or ()), f"is {shape}: {len(shape or ())} values"
    else:
        shape = shape_of(value_of(given, frame))
        number = shape[0] if shape else 0
        said = f"has shape {shape}: {number} rows"
    if not shape:
        return NOTHING
    note = f"{_text(given)} {said} for {names} names."
    return PlainWords(f"{_text(given)} holds {number} for {names} names", note, "", (shape,))
