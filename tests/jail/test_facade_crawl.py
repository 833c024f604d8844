"""Everything a learner reaches by attributes and items, walked: no door to the machine among it.

Run it on every upgrade of NumPy: it prints the path of what it finds.
"""

from __future__ import annotations

import collections
import ctypes
import dataclasses
import io
import logging
import types
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from app.jail.offer.globals import namespace
from app.jail.offer.modules import MODULES
from app.jail.policy.compile import compile_source
from tests.jail import steps
from tests.jail.programs import CASES
from tests.jail.steps import World

_PROGRAM = (CASES / "reached.py").read_bytes()

_DOORS: tuple[type, ...] = (
    types.ModuleType,
    types.CodeType,
    types.FrameType,
    types.TracebackType,
    io.IOBase,
    logging.Logger,
    memoryview,
    type(ctypes.c_int * 1),
    ctypes._SimpleCData,
    ctypes._Pointer,
    np.random.BitGenerator,
    steps.Door,
)
_REAL = (np.ndarray, np.matrix, types.FunctionType, dataclasses.Field, type, np.memmap)
_CALLS = ("open", "exec", "eval", "compile", "__import__", "input", "breakpoint", "globals", "vars")
_MOST = 200_000
_OF_A_KIND = 20
_ALIKE = (
    int, float, complex, str, bytes, np.generic, np.ndarray, np.dtype, np.flatiter, np.nditer,
    types.BuiltinMethodType, types.MethodType, types.MethodWrapperType, types.GetSetDescriptorType,
    types.MethodDescriptorType, types.WrapperDescriptorType, types.MemberDescriptorType,
    types.GenericAlias,
)  # fmt: skip
"""Values that differ by kind only: of each kind the first `_OF_A_KIND` are looked into."""
_MADE, _FEW_OF_A_KIND = 2, 4
_MAKING = [way for way in steps.WAYS.values() if way not in (steps.attributes, steps.items)]


def _reached(write: Callable[[str], object]) -> dict[str, Any]:
    compiled = compile_source(_PROGRAM, "solution.py")
    assert compiled.code is not None, compiled.problems
    names = namespace(write)
    exec(compiled.code, names)  # noqa: S102 -- as the jail does
    return names


def _door(value: object) -> str:
    """What makes a value a door; "" where it is none."""
    if isinstance(value, _DOORS) or type(value).__name__ == "PyCapsule":
        return type(value).__name__
    if any(value is real for real in _REAL):
        return f"the real {value!r}"
    if isinstance(value, dict) and "__builtins__" in value:
        return "a globals dictionary"
    if type(value).__module__ in ("ctypes", "_ctypes", "cffi", "numpy._core._internal"):
        return type(value).__name__
    real = getattr(value, "__module__", None) in ("builtins", "io", "_io")
    if real and getattr(value, "__name__", "") in _CALLS:
        return f"the builtin {value!r}"
    return ""


def _roots(world: World) -> dict[str, Any]:
    hidden = ("__import__", "__build_class__")
    builtins = {k: v for k, v in world.names["__builtins__"].items() if k not in hidden}
    return {**builtins, **world.names["REACHED"], **MODULES}


def _walk(world: World, roots: dict[str, Any]) -> tuple[int, list[str]]:
    """How many values are within reach by the ways of `steps`, and the paths to doors among them.

    Attributes and items are followed everywhere; what a way makes anew is followed twice.
    """
    waiting = collections.deque((path, value, 0) for path, value in roots.items())
    seen: dict[int, Any] = {}
    kinds: collections.Counter[type] = collections.Counter()
    found: list[str] = []
    while waiting:
        path, value, made = waiting.popleft()
        if id(value) in seen:
            continue
        seen[id(value)] = value
        assert len(seen) < _MOST, f"the walk does not end: {path}"
        door = _door(value)
        if door:
            found.append(f"{path}: {door}")
            if world.without:
                break  # with one way open there may be no end
            continue
        kinds[type(value)] += 1
        most = _OF_A_KIND if made or isinstance(value, _ALIKE) else _MOST
        if kinds[type(value)] > most:
            continue
        for step in (steps.attributes, steps.items):
            waiting.extend((path + label, below, made) for label, below in step(world, value))
        if made < _MADE and (kinds[type(value)] <= _FEW_OF_A_KIND or isinstance(value, type)):
            for way in _MAKING:
                waiting.extend(
                    (path + label, below, made + 1) for label, below in way(world, value)
                )
    return len(seen), found


@pytest.mark.filterwarnings("ignore")
def test_nothing_within_reach_is_a_door_to_the_machine() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        world = World(_reached(lambda text: None))
        visited, found = _walk(world, _roots(world))
    assert found == [], "\n".join(found[:50])
    assert visited > 10_000, visited


def _planted(value: object, without: str = "") -> list[str]:
    world = World(_reached(lambda text: None), without)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _walk(world, {"planted": [value]})[1]


@pytest.mark.parametrize("door", [ctypes, compile_source.__code__, np.ndarray, {"__builtins__": 1}])
def test_the_walk_finds_a_door_that_is_planted(door: object) -> None:
    assert _planted(door) != []


class _Keeper:
    """An object of a library that keeps a module under guarded names."""

    data = _bit_generator = gi_frame = ctypes

    def __deepcopy__(self, memo: object) -> object:
        return ctypes


_PLANTS: dict[str, object] = {
    "attributes": _Keeper(),
    "items": [ctypes],
    "kind": np.ones(1),
    "patterns": _Keeper(),
    "augmented": _Keeper(),
    "formats": _Keeper(),
    "supers": np.vectorize(len),
    "subclasses": _Keeper,
    "constructed": _Keeper,
    "proxies": types.MappingProxyType({"__builtins__": 1}),
    "methods": _Keeper(),
    "copies": _Keeper(),
}
_OPEN = ("items", "proxies")
"""Ways that no guard stands in: what they lead to must be no door."""


def test_every_way_of_the_walk_has_a_door_planted() -> None:
    assert set(_PLANTS) == set(steps.WAYS)


@pytest.mark.parametrize("way", _PLANTS)
def test_the_walk_finds_the_door_behind_each_way_that_is_left_open(way: str) -> None:
    assert _planted(_PLANTS[way], way) != []


@pytest.mark.parametrize("way", [way for way in _PLANTS if way not in _OPEN])
def test_the_same_door_is_shut_where_the_way_is_guarded(way: str) -> None:
    assert _planted(_PLANTS[way]) == []
