"""Writes into a parsed program, at every line that assigns something, a word to the recorder.

The program that is traced is not the one that is judged: it runs in a child of its own, and nothing
of its verdict is kept. The names the inserted calls go by are no identifiers, so that no program
can have, read or change them.

    x = f(y)          x = f(y); @note(3, x)
    out[h] = z        out[h] = z; @note(4, out)
    return x + y      return @gave(5, x + y)
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from app.jail.trace.uses import MAX_NAMES, Reads, load, name_of, parameters, reads_of, targets_of

NOTE, GAVE = "@note", "@gave"
RETURN = "return"

MAX_SITES = 400
_GROW = frozenset(["append", "extend", "insert", "fill", "sort"])
_INTO = frozenset(["copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask"])


@dataclass(frozen=True)
class NotedPlace:
    """A place that assigns: its line, its function, the names, and what its right side reads.

    `kind` is "assign", "store" (into a part of what the name holds), "loop", "return", or "call"
    for a function's own parameters. `reads` are names whose values count (a name of which only the
    shape is asked does not), `calls` the simple names of what is called.
    """

    line: int
    function: str
    kind: str
    names: tuple[str, ...]
    reads: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()


class NotedPlaces(ast.NodeTransformer):
    """Visits one parsed program in place; `found` are its sites, by the number they are noted by.

    `full` is true where there are more than may be noted; those beyond are left as they were.
    """

    def __init__(self) -> None:
        self.found: list[NotedPlace] = []
        self.full = False
        self._functions: list[str] = []

    def rewrite(self, tree: ast.Module) -> None:
        """Insert the notes. Raises RecursionError where the program is nested too deeply."""
        self.visit(tree)
        ast.fix_missing_locations(tree)

    # ---------------------------------------------------------------- functions

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Note the parameters before the body; the body's own sites belong to this function."""
        self._functions.append(node.name)
        self.generic_visit(node)
        names = tuple(a.arg for a in parameters(node.args))
        note = self._note(node, "call", names) if names else []
        at = 1 if ast.get_docstring(node, clean=False) is not None else 0
        node.body[at:at] = note
        self._functions.pop()
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """What a class body assigns is no step of a computation; its methods are functions."""
        outside, self._functions = self._functions, []
        self.generic_visit(node)
        self._functions = outside
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """A lambda gives what its body gives."""
        self._functions.append("<lambda>")
        self.generic_visit(node)
        node.body = self._given(node.body, RETURN, node.body)
        self._functions.pop()
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        """Note what is returned."""
        before = node.value
        reads = reads_of(before)
        self.generic_visit(node)
        if node.value is not None:
            node.value = self._given(node.value, RETURN, node, reads)
        return node

    # ---------------------------------------------------------------- assignments

    def visit_Assign(self, node: ast.Assign) -> Any:
        """Note every target; a lambda goes by the name it is given."""
        first = node.targets[0]
        if isinstance(node.value, ast.Lambda) and isinstance(first, ast.Name):
            self._functions.append(first.id)
            self.generic_visit(node.value)
            node.value.body = self._given(node.value.body, RETURN, node.value.body)
            self._functions.pop()
            return node
        return self._assigned(node, node.targets, reads_of(node.value))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        """Note the target where there is a value."""
        if node.value is None:
            return node
        return self._assigned(node, [node.target], reads_of(node.value))

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """Note the target, which is read as well."""
        reads, calls = reads_of(node.value)
        own = name_of(node.target)
        return self._assigned(node, [node.target], ((own, *reads) if own else reads, calls))

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.AST:
        """Note what the name gets."""
        reads = reads_of(node.value)
        self.generic_visit(node)
        node.value = self._given(node.value, node.target.id, node, reads)
        return node

    def visit_Expr(self, node: ast.Expr) -> Any:
        """Note a list that grows by a call, and an array that a call writes into."""
        call = node.value
        if not isinstance(call, ast.Call):
            return self.generic_visit(node)
        name = _written(call)
        given = [*call.args, *(k.value for k in call.keywords)]
        reads = reads_of(ast.Tuple([part for part in given if name_of(part) != name]))
        self.generic_visit(node)
        return [node, *self._note(node, "store", (name,), reads)] if name else node

    def visit_For(self, node: ast.For) -> ast.AST:
        """Note the loop's names at the beginning of each pass."""
        reads = reads_of(node.iter)
        self.generic_visit(node)
        names = targets_of([node.target])
        node.body[:0] = self._note(node, "loop", tuple(n for n, _ in names), reads)
        return node

    # ---------------------------------------------------------------- notes

    def _assigned(
        self,
        node: ast.stmt,
        targets: Iterable[ast.expr],
        reads: Reads,
    ) -> list[ast.stmt]:
        found = targets_of(targets)
        self.generic_visit(node)
        whole = tuple(dict.fromkeys(name for name, part in found if not part))
        parts = tuple(dict.fromkeys(name for name, part in found if part))
        notes = self._note(node, "assign", whole, reads) if whole else []
        return [node, *notes, *(self._note(node, "store", parts, reads) if parts else [])]

    def _note(
        self,
        node: ast.stmt,
        kind: str,
        names: Sequence[str],
        reads: Reads = ((), ()),
    ) -> list[ast.stmt]:
        """The statement that notes these names, or nothing outside of functions."""
        names = tuple(names)[:MAX_NAMES]
        number = self._site(node, kind, names, reads) if names else None
        if number is None:
            return []
        values = [load(name) for name in names]
        call = ast.Call(ast.Name(NOTE, ast.Load()), [ast.Constant(number), *values], [])
        note = ast.Expr(call)
        for part in ast.walk(note):
            ast.copy_location(part, node)
        return [note]

    def _given(
        self,
        value: ast.expr,
        name: str,
        at: ast.stmt | ast.expr,
        reads: Reads | None = None,
    ) -> ast.expr:
        """The expression that notes a value and gives it on."""
        kind = "return" if name == RETURN else "assign"
        number = self._site(at, kind, (name,), reads_of(value) if reads is None else reads)
        if number is None:
            return value
        call = ast.Call(ast.Name(GAVE, ast.Load()), [ast.Constant(number), value], [])
        return ast.copy_location(call, value)

    def _site(
        self,
        node: ast.stmt | ast.expr,
        kind: str,
        names: tuple[str, ...],
        reads: Reads,
    ) -> int | None:
        if not self._functions:
            return None
        if len(self.found) >= MAX_SITES:
            self.full = True
            return None
        site = NotedPlace(node.lineno, self._functions[-1], kind, names, *reads)
        self.found.append(site)
        return len(self.found) - 1


def _written(call: ast.Call) -> str | None:
    """The name of what a call writes into: heads.append(…), np.fill_diagonal(x, …), out=x."""
    if isinstance(call.func, ast.Attribute):
        if call.func.attr in _GROW:
            return name_of(call.func.value)
        if call.func.attr in _INTO and call.args:
            return name_of(call.args[0])
    return next((name_of(k.value) for k in call.keywords if k.arg == "out"), None)
