"""NumPy's shape errors with the operands named: which array has which shape, where they clash."""

from __future__ import annotations

import ast
from types import FrameType

from app.jail.explain.expressions import (
    MISSING,
    Place,
    failing_node,
    shape_of,
    statement_at,
    value_of,
)
from app.jail.explain.shape_errors import WORDS, Clash, Operand, Shape

_TEXT = 40
_MOST = 6


def operands_help(
    error: BaseException, message: str, frame: FrameType, source: str, place: Place
) -> tuple[str, list[Shape]]:
    """A sentence about the operands and their shapes, and the shapes; ("", []) where none fits.

    `place` is that of the failing instruction in `source`; values are read from `frame`.
    """
    if not isinstance(error, (ValueError, IndexError, TypeError)):
        return "", []
    if "to unpack" in message:
        return _unpacking(frame, source, place)
    for pattern, words in WORDS:
        match = pattern.search(message)
        if match:
            node = failing_node(source, place)
            operands = [] if node is None else _operands(node, frame)
            help_text, shapes = words(Clash(match, operands[:_MOST]))
            return help_text, shapes
    return "", []


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


def _unpacking(frame: FrameType, source: str, place: Place) -> tuple[str, list[Shape]]:
    statement = statement_at(source, place[0])
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Tuple):
        return "", []
    given, names = statement.value, len(statement.targets[0].elts)
    # Values are shown of shapes only: any other tuple may hold those of a hidden test case.
    if isinstance(given, ast.Attribute) and given.attr == "shape":
        shape = shape_of(value_of(given.value, frame))
        said = f"is {shape}: {len(shape or ())} values"
    else:
        shape = shape_of(value_of(given, frame))
        said = f"has shape {shape}: {shape[0] if shape else 0} rows"
    return (f"{_text(given)} {said} for {names} names.", [shape]) if shape else ("", [])
