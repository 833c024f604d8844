"""The expression that failed and the values of its parts, without running any code again.

Only names, attributes of plain objects, basic indexing and changes of view are looked at, and only
on exact NumPy arrays, lists and tuples: nothing here can call a method of the learner's.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np

from app.jail.offer.frozen import Namespace

Place = tuple[int | None, int | None, int | None, int | None]
"""Line, end line, column and end column of an instruction, the columns in bytes from 0."""

MISSING = object()
_INTEGERS = (int, np.integer)
_ELEMENTWISE = frozenset("abs cos exp log log1p negative sin sqrt square tanh".split())


def failing_node(source: str, place: Place) -> ast.AST | None:
    """The expression or statement that stands at a place; None where Python does not know it."""
    line, end_line, column, end_column = place
    if line is None or end_line is None or column is None or end_column is None:
        return None
    lines = [text.encode("utf-8", "surrogatepass") for text in source.split("\n")]
    if end_line > len(lines):
        return None
    part = lines[line - 1 : end_line]
    part[-1] = part[-1][:end_column]
    part[0] = part[0][column:]
    text = b"\n".join(part).decode("utf-8", "replace")
    for candidate in (f"({text}\n)", text):
        try:
            statement = ast.parse(candidate).body[0]
        except (SyntaxError, ValueError, RecursionError, MemoryError, IndexError):
            continue
        return statement.value if isinstance(statement, ast.Expr) else statement
    return None


def condition_of(place: Place, source: str) -> Place:
    """The place of an assertion's condition, where the place is that of the whole statement.

    Python 3.12 gives the statement where 3.11 and 3.13 give the condition.
    """
    line, _, column, _ = place
    if line is None or column is None:
        return place
    text = source.split("\n")[line - 1].encode("utf-8", "surrogatepass")
    if text[column : column + 6] != b"assert":
        return place
    node = failing_node(source, place)
    if not isinstance(node, ast.Assert):
        return place
    test = node.test
    first = column if test.lineno == 1 else 0
    last = column if test.end_lineno == 1 else 0
    return (
        line + test.lineno - 1,
        line + (test.end_lineno or 1) - 1,
        first + test.col_offset,
        last + (test.end_col_offset or 0),
    )


def statement_at(source: str, line: int | None) -> ast.stmt | None:
    """The one-line statement on a line."""
    lines = source.split("\n")
    if line is None or line > len(lines):
        return None
    try:
        return ast.parse(lines[line - 1].strip()).body[0]
    except (SyntaxError, ValueError, RecursionError, MemoryError, IndexError):
        return None


def value_of(node: ast.AST, frame: FrameType) -> Any:
    """What an expression was, or MISSING where it cannot be known without running code."""
    reader = _READERS.get(type(node))
    if reader is None:
        return MISSING
    try:
        return reader(node, frame)
    except (ValueError, IndexError, TypeError, KeyError, OverflowError, RecursionError):
        return MISSING


def shape_of(value: Any) -> tuple[int, ...] | None:
    """The shape of an exact array, or of a NumPy or Python number."""
    if isinstance(value, np.ndarray) and type(value).__module__ == "numpy":
        return tuple(int(n) for n in value.shape)
    if type(value) in (int, float, bool) or isinstance(value, np.number):
        return ()
    return None


def _name(node: ast.Name, frame: FrameType) -> Any:
    for names in (frame.f_locals, frame.f_globals):
        if node.id in names:
            return names[node.id]
    return MISSING


def _constant(node: ast.Constant, _frame: FrameType) -> Any:
    return node.value


def _negative(node: ast.UnaryOp, frame: FrameType) -> Any:
    value = value_of(node.operand, frame)
    if isinstance(node.op, ast.USub) and isinstance(value, _INTEGERS):
        return -value
    return MISSING


def _sequence(node: ast.Tuple | ast.List, frame: FrameType) -> Any:
    values = [value_of(item, frame) for item in node.elts]
    if any(value is MISSING for value in values):
        return MISSING
    return tuple(values) if isinstance(node, ast.Tuple) else values


def _slice(node: ast.Slice, frame: FrameType) -> Any:
    parts = [None if p is None else value_of(p, frame) for p in (node.lower, node.upper, node.step)]
    if any(part is not None and not isinstance(part, _INTEGERS) for part in parts):
        return MISSING
    return slice(*parts)


def _attribute(node: ast.Attribute, frame: FrameType) -> Any:
    value = value_of(node.value, frame)
    if type(value) is np.ndarray:
        return getattr(value, node.attr) if node.attr in ("T", "mT", "shape", "ndim") else MISSING
    try:
        own = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return MISSING
    return own.get(node.attr, MISSING) if type(own) is dict else MISSING


def _subscript(node: ast.Subscript, frame: FrameType) -> Any:
    value, index = value_of(node.value, frame), value_of(node.slice, frame)
    if type(value) not in (np.ndarray, list, tuple) or not _is_basic(index):
        return MISSING
    return value[index]


def _is_basic(index: Any) -> bool:
    if type(index) is tuple:
        return all(_is_basic(part) for part in index if type(part) is not tuple) and len(index) < 33
    return (
        index is None
        or index is Ellipsis
        or isinstance(index, (slice, *_INTEGERS))
        and type(index) is not bool
    )


def _call(node: ast.Call, frame: FrameType) -> Any:
    """Changes of view on an array: what they give is known from the shape alone."""
    if not isinstance(node.func, ast.Attribute) or node.keywords:
        return MISSING
    value = value_of(node.func.value, frame)
    arguments = [value_of(argument, frame) for argument in node.args]
    if isinstance(value, Namespace):
        shape = shape_of(arguments[0]) if len(arguments) == 1 else None
        return _hollow(shape) if shape is not None and node.func.attr in _ELEMENTWISE else MISSING
    if len(arguments) == 1 and type(arguments[0]) is tuple:
        arguments = list(arguments[0])
    if type(value) is not np.ndarray or not all(isinstance(a, _INTEGERS) for a in arguments):
        return MISSING
    if node.func.attr == "transpose":
        return value.transpose(*arguments)
    if node.func.attr == "swapaxes":
        return value.swapaxes(*arguments)
    if node.func.attr == "reshape":
        return _of_shape(value, [int(n) for n in arguments])
    return MISSING


def _of_shape(value: np.ndarray[Any, Any], shape: list[int]) -> Any:
    """An array without data of its own that has the shape `value.reshape(shape)` would have."""
    known = math.prod(n for n in shape if n >= 0)
    if -1 in shape:
        if known == 0 or value.size % known:
            return MISSING
        shape[shape.index(-1)] = value.size // known
    return _hollow(tuple(shape)) if math.prod(shape) == value.size else MISSING


def _hollow(shape: tuple[int, ...]) -> Any:
    """An array of a shape that takes no memory."""
    return np.broadcast_to(np.float64(0), shape)


def _operation(node: ast.BinOp, frame: FrameType) -> Any:
    """Arithmetic on arrays, as far as its shape goes."""
    left, right = (shape_of(value_of(side, frame)) for side in (node.left, node.right))
    if left is None or right is None:
        return MISSING
    if not isinstance(node.op, ast.MatMult):
        return _hollow(np.broadcast_shapes(left, right))
    if len(left) < 2 or len(right) < 2 or left[-1] != right[-2]:
        return MISSING
    return _hollow((*np.broadcast_shapes(left[:-2], right[:-2]), left[-2], right[-1]))


def _comparison(node: ast.Compare, frame: FrameType) -> Any:
    sides = [shape_of(value_of(side, frame)) for side in (node.left, *node.comparators)]
    known = [side for side in sides if side is not None]
    return _hollow(np.broadcast_shapes(*known)) if len(known) == len(sides) else MISSING


_READERS: dict[type, Callable[[Any, FrameType], Any]] = {
    ast.Name: _name,
    ast.Constant: _constant,
    ast.UnaryOp: _negative,
    ast.Tuple: _sequence,
    ast.List: _sequence,
    ast.Slice: _slice,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Call: _call,
    ast.BinOp: _operation,
    ast.Compare: _comparison,
}
