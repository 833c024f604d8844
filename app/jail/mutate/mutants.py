"""Makes mutants of a reference solution: copies with one small change, for the proof of its cases.

Runs inside a locked child, for an author's file is parsed nowhere else. A mutant that no test case
tells from the reference shows a hole in the cases, or is equivalent and listed with a reason.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from app.jail.mutate import mutations

MAX_MUTANTS = 1000

Mutant = tuple[int, str, str]
"""Line of the file, the change as "old -> new", the whole changed source."""


class NodePlace(NamedTuple):
    """A node of the tree and where it hangs; `at` is None where the field is no list."""

    parent: ast.AST
    field: str
    at: int | None
    node: ast.AST

    def put(self, node: ast.AST) -> None:
        """Hang another node here."""
        if self.at is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.at] = node


def mutants(text: str) -> tuple[Mutant, ...]:
    """Every mutant of a Python source, in order of line; two changes to one text count once.

    Raises SyntaxError for what is no Python and RecursionError for what is nested too deeply to be
    written down again. At most MAX_MUTANTS are made.
    """
    tree = ast.parse(text)
    modules = frozenset(_imported(tree))
    seen = {ast.unparse(tree)}
    found: list[Mutant] = []
    for place in _places(tree):
        for new in mutations.of(place.node, place.parent, modules):
            change, source = _changed(tree, place, new)
            if source not in seen and len(found) < MAX_MUTANTS:
                seen.add(source)
                found.append((getattr(place.node, "lineno", 1), change, source))
    return tuple(_numbered(sorted(found, key=lambda mutant: mutant[0])))


def _changed(tree: ast.Module, place: NodePlace, new: ast.AST) -> tuple[str, str]:
    """The change in words and the whole source with it; the tree is as it was afterwards."""
    before = _shown(place, place.node)
    place.put(new)
    change, source = f"{before} -> {_shown(place, new)}", ast.unparse(tree)
    place.put(place.node)
    return change, source


def _places(node: ast.AST) -> Iterator[NodePlace]:
    """Every place below a node that a mutation may change, outermost first."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "names", "type_comment"):
            continue
        children = enumerate(value) if isinstance(value, list) else [(None, value)]
        for index, child in children:
            if isinstance(child, ast.AST) and not _is_docstring(child):
                yield NodePlace(node, field, index, child)
                if not isinstance(child, ast.JoinedStr):
                    yield from _places(child)


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _imported(tree: ast.Module) -> Iterator[str]:
    """Names that stand for modules: a call of np.f drops to its argument, not to np."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.asname or alias.name.partition(".")[0]


def _shown(place: NodePlace, node: ast.AST) -> str:
    """The node as an author reads it, with what stands around it where it says too little."""
    parent = place.parent
    if isinstance(parent, ast.keyword) and parent.arg:
        return f"{parent.arg}={ast.unparse(node)}"
    if isinstance(parent, ast.arguments) and place.at is not None:
        return f"{_parameter(parent, place.field, place.at)}={ast.unparse(node)}"
    if isinstance(parent, ast.Tuple) and any(isinstance(e, ast.Slice) for e in parent.elts):
        return f"[{', '.join(map(ast.unparse, parent.elts))}]"  # x[:, 0], in one spelling for all
    is_small = isinstance(place.node, ast.Constant | ast.UnaryOp | ast.Attribute)
    if is_small and isinstance(parent, ast.expr):
        return ast.unparse(parent)
    return ast.unparse(node)


def _parameter(arguments: ast.arguments, field: str, index: int) -> str:
    if field == "kw_defaults":
        return arguments.kwonlyargs[index].arg
    positional = [*arguments.posonlyargs, *arguments.args]
    return positional[len(positional) - len(arguments.defaults) + index].arg


def _numbered(found: Iterable[Mutant]) -> Iterator[Any]:
    """Tell the same change on the same line apart: the second one says "(2)"."""
    times: dict[tuple[int, str], int] = {}
    for line, change, source in found:
        times[line, change] = times.get((line, change), 0) + 1
        count = times[line, change]
        yield line, change if count == 1 else f"{change} ({count})", source
