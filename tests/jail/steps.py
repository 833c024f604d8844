"""The steps of the walk: what a program can take from a value, a function a way of Python.

Each way goes through the guard that compiled code goes through. `World.without` names the one way
that is left open, as plain Python has it: a walk with a hole must find the door behind it.
"""

from __future__ import annotations

import ast
import builtins
import dataclasses
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from RestrictedPython.transformer import INSPECT_ATTRIBUTES

from app.jail.offer.frozen import names_of
from app.jail.offer.modules import MODULES
from app.jail.offer.names import GUARDED, REPLACED, is_dunder
from app.jail.policy.attributes import loads_natively, may_be_written

Step = tuple[str, Any]
_LOAD = ast.Load()
_STORE = ast.Store()
_FEW = 1000
_ALSO = ("__name__", "__doc__", "__init__", "__class__", "obj")
_CAREFUL = sorted(GUARDED | REPLACED | INSPECT_ATTRIBUTES)


@dataclass(frozen=True)
class World:
    """The globals of a program, and the way that is not guarded in this walk ("" for none)."""

    names: dict[str, Any]
    without: str = ""

    def guard(self, name: str) -> Callable[..., Any]:
        guard: Callable[..., Any] = self.names[name]
        return guard

    def builtin(self, name: str) -> Callable[..., Any]:
        builtin: Callable[..., Any] = self.names["__builtins__"][name]
        return builtin


def _names_of(value: Any) -> list[str]:
    return [name for name in {*dir(value), *_ALSO} if may_be_written(name, _LOAD)]


def attributes(world: World, value: Any) -> Iterator[Step]:
    """`value.name`, as compiled code loads it."""
    if world.without == "attributes":
        names, read = dir(value), getattr
    else:
        names, read = _names_of(value), world.guard("_getattr_")
    for name in names:
        take = getattr if loads_natively(name) else read
        yield from _tried(f".{name}", take, value, name)


def items(world: World, value: Any) -> Iterator[Step]:
    """What a container holds."""
    if isinstance(value, (list, tuple, set, frozenset)) and len(value) < _FEW:
        yield from ((f"[{i}]", item) for i, item in enumerate(value))
    elif isinstance(value, (dict, types.MappingProxyType)) and len(value) < _FEW:
        yield from ((f"[{key!r}]", item) for key, item in value.items())


def kind(world: World, value: Any) -> Iterator[Step]:
    """`type(value)`."""
    take: Callable[[Any], Any] = type if world.without == "kind" else world.builtin("type")
    yield from _tried("|type", take, value)


def patterns(world: World, value: Any) -> Iterator[Step]:
    """`case object(name=x)`: the guard makes the class, Python reads the attribute itself."""
    for name in _careful_of(value):
        if world.without == "patterns":
            yield from _tried(f"|case {name}", getattr, value, name)
        elif not is_dunder(name) and name not in INSPECT_ATTRIBUTES:
            yield from _tried(f"|case {name}", _matched, world.guard("_pattern_"), value, name)


def _matched(pattern: Callable[..., Any], value: Any, name: str) -> Any:
    if isinstance(value, pattern(object, 0, (name,))):
        return getattr(value, name)
    raise TypeError("no match")


def augmented(world: World, value: Any) -> Iterator[Step]:
    """`value.name += x`, which hands the old value to `x.__radd__`."""
    for name in _careful_of(value):
        if world.without != "augmented":
            if is_dunder(name) or not may_be_written(name, _STORE):
                continue
            yield from _tried(f"|{name} +=", _changed, world.guard("_change_"), value, name)
        else:
            yield from _tried(f"|{name} +=", getattr, value, name)


def _changed(change: Callable[..., Any], value: Any, name: str) -> Any:
    return getattr(change(value, name), name)


def formats(world: World, value: Any) -> Iterator[Step]:
    """`"{0.name}".format(value)`: what is formatted is asked for its text."""
    read = getattr if world.without == "formats" else world.guard("_getattr_")
    for name in _careful_of(value):
        yield from _tried(f"|format {name}", _formatted, read, value, name)


def _formatted(read: Callable[..., Any], value: Any, name: str) -> Any:
    text = read(f"{{0.{name}}}", "format")(value)
    # A namespace's text is "<module 'numpy'>", a module's says where it is from.
    is_door = text.startswith(("<frame", "<code", "<traceback")) or "' from '" in text
    return Door(text) if is_door else text


class Door:
    """What the text of a door stands for."""

    def __init__(self, text: str) -> None:
        self.text = text


def supers(world: World, value: Any) -> Iterator[Step]:
    """The methods of `super(cls, value)`, for the classes of a value."""
    read = getattr if world.without == "supers" else world.guard("_getattr_")
    if isinstance(value, type):
        return
    for cls in type(value).__mro__[:-1]:
        for name in ("__init__", "__new__", "__reduce_ex__", "_bit_generator"):
            yield from _tried(f"|super.{name}", _of_super, read, cls, value, name)


def _of_super(read: Callable[..., Any], cls: type, value: Any, name: str) -> Any:
    found = read(super(cls, value), name)
    if type(found).__name__ == "method-wrapper" and type(value).__module__ != "solution":
        return Door(f"{cls.__name__}.{name}")
    return found


def subclasses(world: World, value: Any) -> Iterator[Step]:
    """An object of a subclass, and what its own class may ask of it."""
    if not isinstance(value, type):
        return
    build = world.builtin("__build_class__")
    if world.without == "subclasses":
        build = builtins.__build_class__
    for _, own in _tried("", build, _empty_body(world), "Own", value):
        read = getattr if world.without == "subclasses" else world.guard("_getattr_")
        for arguments in ((), (1,), ("a",), (len,)):
            for _, made in _tried("", own, *arguments):
                for name in dir(made):
                    if name.startswith("_") and not is_dunder(name):
                        yield from _tried(f"|subclass.{name}", read, made, name)


def _empty_body(world: World) -> types.FunctionType:
    return types.FunctionType(compile("pass", "solution.py", "exec"), world.names)


def constructed(world: World, value: Any) -> Iterator[Step]:
    """`value()`, and an object without its constructor: `object.__new__(value)`."""
    if not callable(value) or type(value).__name__ in ("Generator", "RandomState"):
        return
    yield from _tried("()", value)
    if isinstance(value, type):
        read = getattr if world.without == "constructed" else world.guard("_getattr_")
        yield from _tried("|object.__new__", _without_constructor, read, value)


def _without_constructor(read: Callable[..., Any], cls: type) -> Any:
    made = read(object, "__new__")(cls)
    return Door(f"a bare {cls.__name__}") if cls.__module__ != "solution" else made


def proxies(world: World, value: Any) -> Iterator[Step]:
    """The dict behind a mapping proxy, which `==` shows to the other side."""
    if not isinstance(value, types.MappingProxyType):
        return
    seen: list[Any] = []

    class Spy:
        def __eq__(self, other: object) -> bool:
            seen.append(other)
            return True

        __hash__ = None  # type: ignore[assignment] # it is compared only

    _ = value == Spy()
    yield from ((f"|== {i}", found) for i, found in enumerate(seen))


def methods(world: World, value: Any) -> Iterator[Step]:
    """What the code that `dataclass` wrote for a class of one's own reads of another's object."""
    record = world.names["Record"]
    if isinstance(value, (record, type)):
        return
    read = getattr if world.without == "methods" else world.guard("_getattr_")
    for name in ("__repr__", "__init__", "__eq__"):
        arguments = (value, value) if name == "__eq__" else (value,)
        yield from _tried(f"|Record.{name}", _called, read, record, name, arguments)


def _called(read: Callable[..., Any], record: type, name: str, arguments: tuple[Any, ...]) -> Any:
    read(record, name)(*arguments)
    return Door(f"{name} took an object of {type(arguments[0]).__name__}")


def copies(world: World, value: Any) -> Iterator[Step]:
    """What `asdict` makes of a value."""
    record = world.names["Record"]
    if isinstance(value, np.ndarray):
        return
    offered = names_of(MODULES["dataclasses"])["asdict"]
    asdict: Any = dataclasses.asdict if world.without == "copies" else offered
    yield from _tried("|asdict", asdict, record(value))


WAYS: dict[str, Callable[[World, Any], Iterator[Step]]] = {
    step.__name__: step
    for step in (
        attributes, items, kind, patterns, augmented, formats, supers, subclasses, constructed,
        proxies, methods, copies,
    )
}  # fmt: skip


def _careful_of(value: Any) -> list[str]:
    names = {name for name in dir(value) if not is_dunder(name) and not loads_natively(name)}
    return sorted(names | {name for name in _CAREFUL if hasattr(value, name)})


def _tried(path: str, take: Callable[..., Any], *arguments: Any) -> Iterator[Step]:
    try:
        yield path, take(*arguments)
    except Exception:  # noqa: BLE001 -- whatever a way raises, it gave nothing
        return
