"""The language policy: a RestrictedPython transformer that lets ordinary Python through.

It refuses what reaches the machine and rewrites only what a guard must see at run time: attributes
whose names are not known to be harmless. All else stays as it was written, so that lines, columns
and messages are Python's own. A node type nobody thought of is refused by the base class.
"""

from __future__ import annotations

import ast
from typing import TypeGuard

from RestrictedPython.transformer import copy_locations

from app.jail.offer import refusals
from app.jail.offer.names import is_class_private, mangled
from app.jail.policy.attributes import loads_natively, may_be_written, stores_natively
from app.jail.policy.bindings import NamePolicy
from app.jail.policy.imports import Imports

_CLASS_NAMES = frozenset(["__name__", "__qualname__"])
ANNOTATED = "annotated"
"""The warning that a program has annotations it did not ask to be kept as text."""


class LearnerPolicy(NamePolicy):
    """The policy that `compile_restricted_exec` is given."""

    def __init__(self, errors: list[str], warnings: list[str], used_names: dict[str, bool]) -> None:
        super().__init__(errors, warnings, used_names)
        self._imports = Imports(self.refuse)

    def visit_Module(self, node: ast.Module) -> ast.AST:
        """Visit everything, then settle what depends on which names the program binds."""
        self.node_contents_visit(node)
        bound = self._bound
        for name, at, refusal in self._if_unbound:
            if name not in bound:
                self.refuse(at, refusal)
        self._imports.settle(bound)
        if self._annotated and not self._imports.future_annotations:
            self.warnings.append(ANNOTATED)
        return node

    # ---------------------------------------------------------------- attributes and calls

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Leave harmless names as they are; load others through `_getattr_`, store by `_write_`."""
        stores = not isinstance(node.ctx, ast.Load)
        self._imports.attribute(node, stores)
        if is_class_private(node.attr):
            inner = next((scope for scope in reversed(self._scopes) if scope), "")
            node.attr = mangled(node.attr, inner)
        name = node.attr
        if not may_be_written(name, node.ctx):
            self.refuse(node, refusals.attribute(name))
        if name in _CLASS_NAMES and _is_class(node.value):
            # Only the name of `x.__class__` is asked, which gives nothing away.
            node.value = _class_of(self.visit(node.value.value), node.value)
        else:
            self.node_contents_visit(node)
        value = node.value
        if not stores:
            if loads_natively(name):
                return node
            guarded = _guarded("_getattr_", value, name, node)
            # On a line of its own the attribute is counted to that line, which a choice is not.
            is_apart = node.end_lineno != node.lineno
            return guarded if is_apart else _unless_plain(node, guarded, value)
        if not stores_natively(name):
            node.value = _unless_plain(value, _guarded("_write_", value, name, value), value)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Leave calls as they are; one through a guard keeps the line of its attribute."""
        method = node.func if isinstance(node.func, ast.Attribute) else None
        self.node_contents_visit(node)
        if method is not None and node.func is not method and method.end_lineno != method.lineno:
            node.lineno, node.col_offset = node.func.lineno, node.func.col_offset
        return node

    # ---------------------------------------------------------------- imports

    def visit_Import(self, node: ast.Import) -> ast.AST:
        """Allow `import` of what is offered."""
        self._imports.plain(node)
        for alias in node.names:
            self.check_name(node, alias.asname)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        """Allow `from … import` of what is offered."""
        self._imports.names(node)
        for alias in node.names:
            self.check_name(node, alias.asname or alias.name)
        return node


def _unless_plain(native: ast.expr, guarded: ast.expr, value: ast.expr) -> ast.expr:
    """`native if type(value) in plain else guarded`, where asking twice for `value` is the same.

    A call costs several times what an attribute costs; most of the names that need a guard are
    asked of objects of the learner's own classes, which need none.
    """
    name = guarded.args[1] if isinstance(guarded, ast.Call) else None
    is_dunder_name = isinstance(name, ast.Constant) and str(name.value).startswith("__")
    if not isinstance(value, ast.Name) or is_dunder_name:
        return guarded
    kind = ast.Call(func=ast.Name("_type_", ast.Load()), args=[value], keywords=[])
    test = ast.Compare(left=kind, ops=[ast.In()], comparators=[ast.Name("_plain_", ast.Load())])
    choice = ast.IfExp(test=test, body=native, orelse=guarded)
    copy_locations(choice, value)
    return choice


def _is_class(node: ast.expr) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and node.attr == "__class__"


def _class_of(value: ast.expr, at: ast.expr) -> ast.expr:
    call = ast.Call(func=ast.Name("_class_of_", ast.Load()), args=[value], keywords=[])
    copy_locations(call, at)
    return call


def _guarded(guard: str, value: ast.expr, name: str, at: ast.expr) -> ast.expr:
    """`guard(value, "name")`, placed where Python places the attribute itself."""
    call = ast.Call(func=ast.Name(guard, ast.Load()), args=[value, ast.Constant(name)], keywords=[])
    copy_locations(call, at)
    if isinstance(at, ast.Attribute) and at.end_lineno != at.lineno:
        # Python counts an attribute on a line of its own to that line.
        call.lineno, call.col_offset = (
            at.end_lineno or at.lineno,
            (at.end_col_offset or 0) - len(name),
        )
    return call
