"""The names a program may bind and read, and the places where it binds them.

The half of the policy that only looks: it refuses, and changes nothing but the body of a main
guard, which never runs here.
"""

from __future__ import annotations

import ast
from typing import Any

from RestrictedPython.transformer import INSPECT_ATTRIBUTES, RestrictingNodeTransformer

from app.jail.offer import refusals
from app.jail.offer.names import (
    CLASS_DUNDERS,
    DUNDER_METHODS,
    GUARDED,
    MODULE_DUNDERS,
    is_dunder,
    is_reserved,
)
from app.jail.offer.refusals import Refusal

_NO_FIELDS = GUARDED | INSPECT_ATTRIBUTES


class RefusedNode(str):
    """A refusal and the node it is about, as the string RestrictedPython's list of errors holds."""

    node: ast.AST
    refusal: Refusal

    def __new__(cls, node: ast.AST, refusal: Refusal) -> RefusedNode:
        """The refusal's sentence, with the rest beside it."""
        made = super().__new__(cls, refusal.message)
        made.node, made.refusal = node, refusal
        return made


class NamePolicy(RestrictingNodeTransformer):
    """Visits a parsed program once, in place; `errors` holds `RefusedNode`."""

    def __init__(self, errors: list[str], warnings: list[str], used_names: dict[str, bool]) -> None:
        super().__init__(errors, warnings, used_names)
        self._scopes: list[str | None] = []  # a class by its name, a function by None
        self._bound: set[str] = set()
        self._if_unbound: list[tuple[str, ast.AST, Refusal]] = []

    # ---------------------------------------------------------------- errors

    def refuse(self, node: ast.AST, refusal: Refusal) -> None:
        """Record a refusal at a node."""
        self.errors.append(RefusedNode(node, refusal))

    def error(self, node: ast.AST, info: str) -> None:
        """Record an error of the base class's own."""
        self.refuse(node, Refusal(info))

    def not_allowed(self, node: ast.AST) -> None:
        """Refuse a kind of statement."""
        kind = type(node).__name__
        unknown = Refusal(f"{kind} isn't available here.")
        self.refuse(node, refusals.STATEMENTS.get(kind, unknown))
        self.node_contents_visit(node)

    def visit_TemplateStr(self, node: ast.AST) -> ast.AST:
        """Refuse t"…", which RestrictedPython lets through: its objects are not looked into yet."""
        self.not_allowed(node)
        return node

    visit_Interpolation = visit_TemplateStr

    # ---------------------------------------------------------------- names

    def check_name(self, node: Any, name: str | None, allow_magic_methods: bool = False) -> None:
        """Refuse to bind or read a name the guards or Python keep for themselves."""
        if name is None or not name.startswith("_"):
            return
        if is_reserved(name):
            self.refuse(node, refusals.reserved_name(name))
        elif is_dunder(name) and not self._may_bind(name):
            self.refuse(node, refusals.dunder_name(name))

    def _may_bind(self, name: str) -> bool:
        if self._in_class():
            return name in CLASS_DUNDERS or name in DUNDER_METHODS
        return not self._scopes and name in MODULE_DUNDERS

    def _in_class(self) -> bool:
        return bool(self._scopes) and self._scopes[-1] is not None

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Allow names, but not Python's doors to the machine."""
        name = node.id
        if not isinstance(node.ctx, ast.Load):
            self._bound.add(name)
            self.check_name(node, name)
            if self._in_class() and name in INSPECT_ATTRIBUTES:
                # As a field of a dataclass it would be what a class pattern reads.
                self.refuse(node, refusals.attribute(name))
            return node
        self.used_names[name] = True
        if name in refusals.CALLS:
            self._if_unbound.append((name, node, refusals.CALLS[name]))
        elif name not in ("__name__", "__doc__", "__debug__"):
            self.check_name(node, name)
        return node

    def visit_Global(self, node: ast.Global) -> ast.AST:
        """Allow `global` for names that may be bound."""
        for name in node.names:
            self.check_name(node, name)
        return node

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.AST:
        """Allow `nonlocal` for names that may be bound."""
        for name in node.names:
            self.check_name(node, name)
        return node

    # ---------------------------------------------------------------- left as they are

    def node_contents_visit(self, node: Any) -> Any:
        """Visit what a node holds, as `ast.NodeTransformer` does, but not how a name is used.

        A third of all nodes are such contexts, which every node that has one looks at by itself.
        """
        for field in node._fields:
            held = getattr(node, field, None)
            if isinstance(held, list):
                held[:] = self._visited(held)
            elif isinstance(held, ast.AST) and not isinstance(held, ast.expr_context):
                visited = self.visit(held)
                if visited is None:
                    delattr(node, field)
                else:
                    setattr(node, field, visited)
        return node

    def _visited(self, nodes: list[Any]) -> list[Any]:
        """What becomes of a list's nodes; what is no node stays."""
        found: list[Any] = []
        for one in nodes:
            visited = self.visit(one) if isinstance(one, ast.AST) else one
            if isinstance(visited, ast.AST) or not isinstance(one, ast.AST):
                found.append(visited)
            elif visited is not None:
                found.extend(visited)
        return found

    def _as_written(self, node: ast.AST) -> ast.AST:
        self.node_contents_visit(node)
        return node

    visit_With = visit_Subscript = visit_AnnAssign = guard_iter = _as_written
    visit_MatchSingleton = visit_MatchSequence = visit_MatchOr = _as_written

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """Allow assignment; a class's `__match_args__`, read without a guard, must be in sight."""
        if self._in_class() and _is_match_args(node):
            return node
        return self._as_written(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """Check a parameter's name where it stands."""
        self._bound.add(node.arg)
        self.check_name(node, node.arg)
        return self._as_written(node)

    def check_function_argument_names(self, node: ast.AST) -> None:
        """Nothing: `visit_arg` sees every parameter."""

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        """Allow handlers."""
        self._bind(node, node.name)
        return self._as_written(node)

    def _bind(self, node: ast.AST, name: str | None) -> None:
        if name is not None:
            self._bound.add(name)
            self.check_name(node, name)

    # ---------------------------------------------------------------- match

    def visit_MatchAs(self, node: ast.MatchAs) -> ast.AST:
        """Allow capture patterns."""
        self._bind(node, node.name)
        return self._as_written(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> ast.AST:
        """Allow star patterns."""
        self._bind(node, node.name)
        return self._as_written(node)

    # ---------------------------------------------------------------- definitions

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Allow functions, and in a class the methods Python calls itself."""
        self._bound.add(node.name)
        self.check_name(node, node.name)
        return self._inside(None, node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """Allow lambda."""
        return self._inside(None, node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Allow plain classes: no metaclass, in whatever spelling."""
        self._bind(node, node.name)
        for keyword in node.keywords:
            if keyword.arg == "metaclass":
                self.refuse(keyword, refusals.METACLASS)
            elif keyword.arg is None:
                self.refuse(keyword, refusals.CLASS_STARS)
        return self._inside(node.name, node)

    def _inside(self, scope: str | None, node: ast.AST) -> ast.AST:
        self._scopes.append(scope)
        self.node_contents_visit(node)
        self._scopes.pop()
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        """Leave out what stands under `if __name__ == "__main__":`; it never runs here."""
        if not self._scopes and _is_main_guard(node.test):
            node.body = [ast.copy_location(ast.Pass(), node.body[0])]
        return self._as_written(node)


def _is_match_args(node: ast.Assign) -> bool:
    """Whether this is `__match_args__ = ("x", "y")`, with names that are no doors."""
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Name) or target.id != "__match_args__" or len(node.targets) > 1:
        return False
    if not isinstance(value, ast.Tuple):
        return False
    names = [item.value for item in value.elts if isinstance(item, ast.Constant)]
    return len(names) == len(value.elts) and all(
        isinstance(name, str) and name[:1] != "_" and name not in _NO_FIELDS for name in names
    )


def _is_main_guard(test: ast.expr) -> bool:
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.Eq):
        return False
    if len(test.ops) != 1:
        return False
    sides = (test.left, test.comparators[0])
    names = [side.id for side in sides if isinstance(side, ast.Name)]
    texts = [side.value for side in sides if isinstance(side, ast.Constant)]
    return names == ["__name__"] and texts == ["__main__"]
