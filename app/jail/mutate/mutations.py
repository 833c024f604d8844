"""The small changes a mutant is made by: operators, comparisons, axes, constants, calls, arguments.

Each function takes one node and gives the nodes that may stand in its place; the node itself is
never changed.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import cast

AXES = range(-3, 3)
DROPPED_ARGUMENTS = 3
FAR = 10000.0
"""Stands in for infinity: the fill value of many a mask."""

_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.MatMult: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
_ONE_WAY = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult)
_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_EITHER_WAY = frozenset(
    "add allclose equal hypot isclose logaddexp max maximum min minimum multiply not_equal"
    " swapaxes".split()
)


def of(node: ast.AST, parent: ast.AST, modules: Collection[str]) -> Iterator[ast.AST]:
    """The nodes that may replace `node` in a mutant; `modules` are names that hold modules."""
    if isinstance(node, ast.BinOp):
        yield from _binary(node)
    elif isinstance(node, ast.AugAssign):
        for operator in _other_operator(node.op):
            yield ast.AugAssign(node.target, operator, node.value)
    elif isinstance(node, ast.Compare):
        yield from _comparison(node)
    elif isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield ast.BoolOp(other, node.values)
    elif isinstance(node, ast.IfExp):
        yield from (node.body, node.orelse)
    elif isinstance(node, ast.Call):
        yield from _call(node, modules)
    elif isinstance(node, ast.Tuple):
        yield from _swapped_tuple(node, parent)
    elif isinstance(node, ast.expr):
        yield from _small(node, parent)


def _binary(node: ast.BinOp) -> Iterator[ast.AST]:
    for operator in _other_operator(node.op):
        yield ast.BinOp(node.left, operator, node.right)
    if isinstance(node.op, _ONE_WAY):
        yield ast.BinOp(node.right, node.op, node.left)
    yield from (node.left, node.right)


def _other_operator(operator: ast.operator) -> Iterator[ast.operator]:
    other = _OPERATORS.get(type(operator))
    if other is not None:
        yield other()


def _comparison(node: ast.Compare) -> Iterator[ast.AST]:
    for index, operator in enumerate(node.ops):
        for other in _COMPARISONS[type(operator)]:
            changed = [*node.ops[:index], other(), *node.ops[index + 1 :]]
            yield ast.Compare(node.left, changed, node.comparators)


# ------------------------------------------------------------------ calls


def _call(node: ast.Call, modules: Collection[str]) -> Iterator[ast.AST]:
    yield from _dropped_call(node, modules)
    if _name(node.func) not in _EITHER_WAY:
        for args in _swaps(node.args):
            yield ast.Call(node.func, args, node.keywords)
    for keyword in node.keywords:
        if keyword.arg is not None:
            rest = [other for other in node.keywords if other is not keyword]
            yield ast.Call(node.func, node.args, rest)


def _dropped_call(node: ast.Call, modules: Collection[str]) -> Iterator[ast.AST]:
    """x.f(a) -> x; f(a, b) and np.f(a, b) -> a, and -> b."""
    if isinstance(node.func, ast.Attribute) and not _is_module(node.func.value, modules):
        yield node.func.value
        return
    for argument in node.args[:DROPPED_ARGUMENTS]:
        if not isinstance(argument, ast.Starred):
            yield argument


def _is_module(node: ast.AST, modules: Collection[str]) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in modules


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _swaps(items: list[ast.expr]) -> Iterator[list[ast.expr]]:
    """The items with two neighbours exchanged."""
    for (index, first), (_, second) in pairwise(enumerate(items)):
        if not isinstance(first, ast.Starred) and not isinstance(second, ast.Starred):
            yield [*items[:index], second, first, *items[index + 2 :]]


def _swapped_tuple(node: ast.Tuple, parent: ast.AST) -> Iterator[ast.AST]:
    """transpose((1, 0, 2)) and zeros((n, d)): a tuple that is an argument."""
    if isinstance(parent, ast.Call | ast.keyword) and isinstance(node.ctx, ast.Load):
        for elements in _swaps(node.elts):
            yield ast.Tuple(elements, node.ctx)


# ------------------------------------------------------------------ constants and signs


def _small(node: ast.expr, parent: ast.AST) -> Iterator[ast.AST]:
    if _is_negated(parent) or _is_keepdims(parent):
        return
    number = _whole(node)
    if number is not None and isinstance(parent, ast.keyword) and parent.arg == "axis":
        yield from (_constant(axis) for axis in AXES if axis != number)
    elif number is not None:
        yield from (_constant(other) for other in (number + 1, number - 1))
    elif isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.UAdd):
        yield node.operand
    elif isinstance(node, ast.Attribute) and node.attr in ("inf", "pi"):
        yield _constant(FAR if node.attr == "inf" else 3.0)
    elif isinstance(node, ast.Constant):
        yield from _other_constant(node.value)


def _whole(node: ast.AST) -> int | None:
    """The whole number a node spells, with its sign; None for anything else."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _whole(node.operand)
        return None if value is None else -value
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    return None


def _is_negated(parent: ast.AST) -> bool:
    return isinstance(parent, ast.UnaryOp) and _whole(parent) is not None


def _is_keepdims(parent: ast.AST) -> bool:
    """keepdims=False is keepdims left out, which the call's own mutants do."""
    return isinstance(parent, ast.keyword) and parent.arg == "keepdims"


def _constant(value: complex) -> ast.expr:
    """A number as Python spells it: the sign of a negative one is an operator."""
    if isinstance(value, int | float) and value < 0:
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Constant(value)


def _other_constant(value: object) -> Iterator[ast.AST]:
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, float):
        yield from (_constant(value * 2), _constant(value + 1.0))
    elif isinstance(value, str):
        yield ast.Constant("mutated")
    elif value is None:
        yield cast(ast.AST, ast.Constant(0))
