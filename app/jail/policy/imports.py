"""Which imports a program may have, and what it may ask of what it imported."""

from __future__ import annotations

import ast
import difflib
import sys
from collections.abc import Callable

from app.jail.offer import refusals
from app.jail.offer.bases import BASES
from app.jail.offer.frozen import Namespace, names_of
from app.jail.offer.modules import MODULES, OFFERED, offers, refused
from app.jail.offer.newer import newer_name
from app.jail.offer.refusals import Refusal
from app.jail.offer.stand_ins import StandIn


class Imports:
    """The import statements of one program, and the names they bind.

    `np.load` is refused at its place already here where `np` is an import and nothing else; names
    that NumPy itself lacks are left to run time.
    """

    def __init__(self, refuse: Callable[[ast.AST, Refusal], None]) -> None:
        self._refuse = refuse
        self._modules = {"np": "numpy"}
        self._names: dict[str, object] = {}
        self._used: list[tuple[str, ast.AST, Refusal]] = []

    def plain(self, node: ast.Import) -> None:
        """Check `import a.b as c`."""
        for alias in node.names:
            if alias.name not in MODULES:
                self._refuse(alias, module_refusal(alias.name))
            elif alias.asname:
                self._modules[alias.asname] = alias.name
            else:
                top = alias.name.partition(".")[0]
                self._modules[top] = top

    def names(self, node: ast.ImportFrom) -> None:
        """Check `from a import b as c`."""
        module = node.module or ""
        if node.level:
            self._refuse(node, refusals.RELATIVE_IMPORT)
        elif module not in MODULES:
            self._refuse(node, module_refusal(module))
        else:
            for alias in node.names:
                self._name(node, module, alias)

    def _name(self, node: ast.ImportFrom, module: str, alias: ast.alias) -> None:
        if f"{module}.{alias.name}" in MODULES:
            self._modules[alias.asname or alias.name] = f"{module}.{alias.name}"
        elif alias.name == "*":
            instead = (
                "Write `import numpy as np`."
                if module == "numpy"
                else (f"Write `import {module}`, or name what you need.")
            )
            self._refuse(node, Refusal(f"from {module} import * isn't available here.", instead))
        elif not offers(module, alias.name):
            self._refuse(alias, name_refusal(module, alias.name))
        else:
            self._names[alias.asname or alias.name] = getattr(MODULES[module], alias.name)

    def attribute(self, node: ast.Attribute, stores: bool) -> None:
        """Note what an attribute asks of an import, to be settled when all names are known."""
        path = _path(node)
        if path is None or path[0] not in self._modules:
            return
        module = self._modules[path[0]]
        for part in path[1:-1]:
            module = f"{module}.{part}"
        if module not in MODULES:
            return
        name = path[-1]
        spelled = ".".join(path)
        if stores:
            self._used.append((path[0], node, refusals.frozen(spelled)))
        elif (reason := refused(module, name)) is not None:
            self._used.append((path[0], node, reason))

    def base(self, node: ast.expr) -> None:
        """Note a base of a class statement, which may be a class that nothing may inherit from."""
        path = _path(node)
        if path is None:
            return
        value = self._names.get(path[0]) if len(path) == 1 else self._value(path)
        if isinstance(value, type) and not isinstance(value, StandIn) and value not in BASES:
            self._used.append((path[0], node, refusals.cannot_inherit(value.__name__)))

    def _value(self, path: list[str]) -> object:
        value: object = MODULES.get(self._modules.get(path[0], ""))
        for part in path[1:]:
            value = names_of(value).get(part) if isinstance(value, Namespace) else None
        return value

    def settle(self, bound: set[str]) -> None:
        """Refuse what was asked of imports, where their names mean nothing else."""
        for name, node, refusal in self._used:
            if name not in bound:
                self._refuse(node, refusal)


def module_refusal(name: str) -> Refusal:
    """Why a module is not offered; a near miss of one that is gets its name."""
    known = refusals.module_refused(name, OFFERED)
    is_known = known != refusals.unknown_module(name, OFFERED)
    if is_known or name.partition(".")[0] in sys.stdlib_module_names:
        return known  # there is such a module, and nobody misspelled another
    near = difflib.get_close_matches(name, MODULES, n=1, cutoff=0.8)
    if near:
        return Refusal(f"There is no module {name} here.", f"Did you mean {near[0]}?")
    return known


def name_refusal(module: str, name: str) -> Refusal:
    """Why a module does not offer a name: kept out, misspelled, or nowhere."""
    reason = refused(module, name)
    if reason is not None:
        return reason
    newer = newer_name(module, name)
    if newer is not None:
        return newer
    near = difflib.get_close_matches(name, dir(MODULES[module]), n=1, cutoff=0.75)
    hint = f"Did you mean {near[0]}?" if near else ""
    return Refusal(f"{module} has no {name}.", hint)


def _path(node: ast.expr) -> list[str] | None:
    """`np.lib.format` as its three names; None where anything else stands in it."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return [node.id, *reversed(names)]
