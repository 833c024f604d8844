"""The language policy: a RestrictedPython transformer that lets ordinary Python through.

It refuses what reaches the machine and rewrites only what a guard must see at run time: attributes
whose names are not known to be harmless. All else stays as it was written, so that lines, columns
and messages are Python's own. A node type that is not named here is refused by the base class.
"""

from __future__ import annotations

import ast
from typing import TypeGuard

from RestrictedPython.transformer import copy_locations

from app.jail.offer import refusals
from app.jail.offer.names import LIBRARIES_ONLY, is_class_private, is_dunder, mangled
from app.jail.policy.attributes import loads_natively, may_be_written, stores_natively
from app.jail.policy.bindings import NamePolicy
from app.jail.policy.imports import Imports

_CLASS_NAMES = frozenset(["__name__", "__qualname__"])


class LearnerPolicy(NamePolicy):
    """The policy; `errors` then holds what it refuses."""

    def __init__(self, errors: list[str], warnings: list[str], used_names: dict[str, bool]) -> None:
        super().__init__(errors, warnings, used_names)
        self._imports = Imports(self.refuse)
        self._changed: ast.expr | None = None  # the target of the augmented assignment around
        self._looked_up: list[ast.expr] = []  # what the patterns of one case look up first
        self._of_libraries: list[ast.Attribute] = []  # reads of what no program has a name for
        self._spelled: set[str] = set()  # … unless it sets such an attribute, or spells its name

    def visit_Module(self, node: ast.Module) -> ast.AST:
        """Visit everything, then settle what depends on which names the program binds."""
        self.node_contents_visit(node)
        bound = self._bound
        for name, at, refusal in self._if_unbound:
            if name not in bound:
                self.refuse(at, refusal)
        for at in self._of_libraries:
            if at.attr not in bound and at.attr not in self._spelled:
                self.refuse(at, refusals.attribute(at.attr))
        self._imports.settle(bound)
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
        if name in LIBRARIES_ONLY:
            self._spelled.update([name] if stores else [])
            self._of_libraries.append(node)
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
        if node is self._changed and not loads_natively(name):
            node.value = _unless_plain(value, _guarded("_change_", value, name, value), value)
        elif not stores_natively(name):
            node.value = _unless_plain(value, _guarded("_write_", value, name, value), value)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Allow constants."""
        if isinstance(node.value, str):
            self._spelled.update(name for name in LIBRARIES_ONLY if name in node.value)
        return self._as_written(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Allow plain classes, on what may be inherited from."""
        for base in node.bases:
            self._imports.base(base)
        return super().visit_ClassDef(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """Allow `x.name += …`, which reads the attribute before it sets it."""
        self._changed = node.target
        return self._as_written(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Leave calls as they are; one through a guard keeps the line of its attribute."""
        method = node.func if isinstance(node.func, ast.Attribute) else None
        self.node_contents_visit(node)
        if method is not None and node.func is not method and method.end_lineno != method.lineno:
            node.lineno, node.col_offset = node.func.lineno, node.func.col_offset
        return node

    # ---------------------------------------------------------------- match

    def visit_Match(self, node: ast.Match) -> ast.AST:
        """Allow match; what its patterns look up is looked up in a case of its own before."""
        node.subject = self.visit(node.subject)
        cases = []
        for case in node.cases:
            outside, self._looked_up = self._looked_up, []
            case.pattern = self.visit(case.pattern)
            if self._looked_up:
                cases.append(_first(self._looked_up, case))
            self._looked_up = outside
            cases.append(self.visit(case))
        node.cases = cases
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        """Allow a case, whose pattern was visited before."""
        if node.guard is not None:
            node.guard = self.visit(node.guard)
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:
        """Allow value patterns; one whose attribute needs a guard is looked up first."""
        node.value = self._value(node.value)
        return node

    def visit_MatchMapping(self, node: ast.MatchMapping) -> ast.AST:
        """Allow mapping patterns; their keys are values."""
        self._bind(node, node.rest)
        node.keys = [self._value(key) for key in node.keys]
        node.patterns = [self.visit(pattern) for pattern in node.patterns]
        return node

    def _value(self, value: ast.expr) -> ast.expr:
        visited: ast.expr = self.visit(value)
        if visited is value:
            return value
        return _it(self._look_up(_call("_held_", [visited], value), value))

    def visit_MatchClass(self, node: ast.MatchClass) -> ast.AST:
        """Allow class patterns; one that reads attributes is run against a class made for it."""
        names = [name for name in node.kwd_attrs if not loads_natively(name)]
        for name in names:
            if not may_be_written(name, ast.Load()) or is_dunder(name):
                self.refuse(node, refusals.attribute(name))
        cls = node.cls
        visited = self.visit(cls)
        if node.patterns or names or visited is not cls:
            texts: list[ast.expr] = [ast.Constant(name) for name in names]
            how: list[ast.expr] = [ast.Constant(len(node.patterns)), ast.Tuple(texts, ast.Load())]
            node.cls = self._look_up(_call("_pattern_", [visited, *how], cls), cls)
        node.patterns = [self.visit(pattern) for pattern in node.patterns]
        node.kwd_patterns = [self.visit(pattern) for pattern in node.kwd_patterns]
        return node

    def _look_up(self, value: ast.expr, at: ast.expr) -> ast.Name:
        """A name, which no program can spell, for a value that is looked up before the case."""
        name = f"@{len(self._looked_up)}"
        looked_up = ast.NamedExpr(target=ast.Name(name, ast.Store()), value=value)
        self._looked_up.append(ast.copy_location(looked_up, at))
        ast.copy_location(looked_up.target, at)
        return ast.copy_location(ast.Name(name, ast.Load()), at)

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


def _first(looked_up: list[ast.expr], case: ast.match_case) -> ast.match_case:
    """A case that never matches, and looks up what the next one needs: its guard is `not (…,)`."""
    guard = ast.UnaryOp(op=ast.Not(), operand=ast.Tuple(elts=looked_up, ctx=ast.Load()))
    for node in (guard, guard.operand):
        ast.copy_location(node, looked_up[0])
    nothing = ast.copy_location(ast.Pass(), case.body[0])
    pattern = ast.copy_location(ast.MatchAs(), case.pattern)
    return ast.match_case(pattern=pattern, guard=guard, body=[nothing])


def _it(name: ast.Name) -> ast.expr:
    """`name.it`, as a pattern can spell it."""
    return ast.copy_location(ast.Attribute(value=name, attr="it", ctx=ast.Load()), name)


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
    return _call("_class_of_", [value], at)


def _call(name: str, arguments: list[ast.expr], at: ast.expr) -> ast.Call:
    call = ast.Call(func=ast.Name(name, ast.Load()), args=arguments, keywords=[])
    copy_locations(call, at)
    return call


def _guarded(guard: str, value: ast.expr, name: str, at: ast.expr) -> ast.expr:
    """`guard(value, "name")`, placed where Python places the attribute itself."""
    call = _call(guard, [value, ast.Constant(name)], at)
    if isinstance(at, ast.Attribute) and at.end_lineno != at.lineno:
        # Python counts an attribute on a line of its own to that line.
        call.lineno, call.col_offset = (
            at.end_lineno or at.lineno,
            (at.end_col_offset or 0) - len(name),
        )
    return call
