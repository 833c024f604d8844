"""Everything a learner reaches by attributes and items, walked: no door to the machine among it.

Run it on every upgrade of NumPy: it prints the path of what it finds.
"""

from __future__ import annotations

import ast
import collections
import ctypes
import dataclasses
import io
import logging
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from app.jail.offer.globals import namespace
from app.jail.offer.modules import MODULES
from app.jail.policy.attributes import loads_natively, may_be_written
from app.jail.policy.compile import compile_source
from tests.jail.programs import CASES

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
_LOAD = ast.Load()


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


def _below(value: Any, read: Callable[[Any, str], Any]) -> Iterator[tuple[str, Any]]:
    """What a program can take from a value: attributes as compiled code loads them, and items."""
    for name in {*dir(value), "__name__", "__doc__", "__init__", "__class__", "obj"}:
        if not may_be_written(name, _LOAD):
            continue
        try:
            yield f".{name}", getattr(value, name) if loads_natively(name) else read(value, name)
        except Exception:  # noqa: BLE001, S112 -- a property may raise anything
            continue
    if isinstance(value, (list, tuple, set, frozenset)) and len(value) < 1000:
        yield from ((f"[{i}]", item) for i, item in enumerate(value))
    elif isinstance(value, (dict, types.MappingProxyType)) and len(value) < 1000:
        yield from ((f"[{key!r}]", item) for key, item in value.items())


def _walk(names: dict[str, Any]) -> tuple[int, list[str]]:
    read: Callable[[Any, str], Any] = names["_getattr_"]
    builtins: dict[str, Any] = names["__builtins__"]
    roots = {**builtins, **names["REACHED"]}
    hidden = ("__import__", "__build_class__")
    waiting = collections.deque((k, v) for k, v in roots.items() if k not in hidden)
    waiting.extend(MODULES.items())
    seen: dict[int, Any] = {}
    kinds: collections.Counter[type] = collections.Counter()
    found: list[str] = []
    while waiting:
        path, value = waiting.popleft()
        if id(value) in seen:
            continue
        seen[id(value)] = value
        assert len(seen) < _MOST, f"the walk does not end: {path}"
        door = _door(value)
        if door:
            found.append(f"{path}: {door}")
            continue
        kinds[type(value)] += 1
        if kinds[type(value)] <= (_OF_A_KIND if isinstance(value, _ALIKE) else _MOST):
            waiting.extend((path + step, below) for step, below in _below(value, read))
    return len(seen), found


@pytest.mark.filterwarnings("ignore")
def test_nothing_within_reach_is_a_door_to_the_machine() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        visited, found = _walk(_reached(lambda text: None))
    assert found == [], "\n".join(found[:50])
    assert visited > 2_000, visited


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("door", [ctypes, compile_source.__code__, np.ndarray, {"__builtins__": 1}])
def test_the_walk_finds_a_door_that_is_planted(door: object) -> None:
    names = _reached(lambda text: None)
    names["REACHED"] = {"planted": [door]}
    assert any("planted" in path for path in _walk(names)[1])
