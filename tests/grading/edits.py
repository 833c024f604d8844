"""Random small edits of right programs, as syntax trees: the slips nobody has written down."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator

Edit = Callable[[], None]

_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div)
_COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_METHODS = {"max": "min", "sum": "mean", "mean": "sum", "repeat": "tile", "min": "max"}


def edited(source: str, chance: random.Random) -> str | None:
    """The program with one edit, or sometimes two; None where it became the same or no program."""
    tree = ast.parse(source)
    before = ast.dump(tree)
    for _ in range(chance.choice((1, 1, 1, 2))):
        edits = list(_edits(tree, chance))
        if edits:
            chance.choice(edits)()
    if ast.dump(tree) == before:
        return None
    text = ast.unparse(ast.fix_missing_locations(tree))
    try:
        compile(text, "edited.py", "exec")
    except (SyntaxError, ValueError):
        return None
    return text


def _edits(tree: ast.Module, chance: random.Random) -> Iterator[Edit]:
    """Every edit that can be made; a loop's `while` is left alone, for it might never end."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            reads = (n for n in ast.walk(function) if isinstance(n, ast.Name) and _is_read(n))
            names = sorted({name.id for name in reads})
            for node in ast.walk(function):
                yield from _of(node, names, chance)


def _is_read(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id != "np"


def _of(node: ast.AST, names: list[str], chance: random.Random) -> Iterator[Edit]:
    if isinstance(node, ast.BinOp):
        yield lambda: _put(node, op=chance.choice(_OPERATORS)())
        yield lambda: _put(node, left=node.right, right=node.left)
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield lambda: _put(node, ops=[chance.choice(_COMPARISONS)()])
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        number = node.value
        assert isinstance(number, int | float)
        yield lambda: _put(node, value=number + chance.choice((-1, 1)))
        yield lambda: _put(node, value=2 * number)
    elif _is_read(node):
        yield lambda: _put(node, id=chance.choice(names))
    elif isinstance(node, ast.Attribute) and node.attr in _METHODS:
        yield lambda: _put(node, attr=_METHODS[node.attr])
    elif isinstance(node, ast.Call):
        yield from _of_call(node, chance)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield lambda: _put(node, op=ast.UAdd())


def _of_call(node: ast.Call, chance: random.Random) -> Iterator[Edit]:
    if node.keywords:
        yield lambda: node.keywords.remove(chance.choice(node.keywords))
    if len(node.args) > 1:
        yield lambda: chance.shuffle(node.args)
    if len(node.args) == 1 and isinstance(node.func, ast.Attribute):
        yield lambda: _put(node, func=ast.Name("abs", ast.Load()), keywords=[])


def _put(node: ast.AST, **fields: object) -> None:
    for name, value in fields.items():
        setattr(node, name, value)
