"""Describes the functions that the loaded files define: signature, docstring, line, in order."""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Iterable, Mapping
from types import CodeType, FunctionType
from typing import Any

MAX_FUNCTIONS = 300
MAX_PARAMETERS = 50
MAX_DOCSTRING = 4000
MAX_DEFAULT = 200
MAX_WRAPPERS = 10


def defined(namespace: Mapping[str, object], sources: Mapping[str, bytes]) -> list[dict[str, Any]]:
    """Public callables of `namespace` whose code stands in `sources`, in order of definition.

    Keys are the fields of `model.FunctionInfo`. Reads source text only for default values.
    """
    order = {name: number for number, name in enumerate(sources)}
    found = []
    for name, value in namespace.items():
        code = None if name.startswith("_") else _own_code(value, order)
        if code is not None:
            found.append(((order[code.co_filename], code.co_firstlineno), name, value, code))
    found.sort(key=lambda item: item[0])
    texts = _Texts(sources)
    return [_describe(name, value, code, texts) for _, name, value, code in found[:MAX_FUNCTIONS]]


def _own_code(value: object, files: Mapping[str, int]) -> CodeType | None:
    """The learner's code behind a callable (function, partial, cached, instance), or None."""
    for _ in range(MAX_WRAPPERS):
        if isinstance(value, FunctionType):
            return value.__code__ if value.__code__.co_filename in files else None
        if isinstance(value, functools.partial):
            value = value.func
        elif isinstance(value, functools._lru_cache_wrapper):
            value = value.__wrapped__
        else:
            value = type(value).__dict__.get("__call__")  # of an instance
    return None


def _describe(name: str, value: object, code: CodeType, texts: _Texts) -> dict[str, Any]:
    doc = inspect.getdoc(value) if isinstance(value, FunctionType) else None
    return {
        "name": name,
        "parameters": _parameters(value, code, texts),
        "docstring": (doc or "")[:MAX_DOCSTRING],
        "line": code.co_firstlineno,
    }


def _parameters(value: object, code: CodeType, texts: _Texts) -> tuple[dict[str, Any], ...]:
    try:
        parameters: Iterable[inspect.Parameter] = inspect.signature(value).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return ()
    described = []
    for parameter in list(parameters)[:MAX_PARAMETERS]:
        default = None
        if parameter.default is not inspect.Parameter.empty:
            default = texts.default(code, parameter.name)
        described.append({"name": parameter.name, "kind": parameter.kind.name, "default": default})
    return tuple(described)


class _Texts:
    """The source text of default values, parsed once a file and only where there is one."""

    def __init__(self, sources: Mapping[str, bytes]) -> None:
        self._sources = sources
        self._parsed: dict[str, dict[tuple[int, str], str]] = {}

    def default(self, code: CodeType, parameter: str) -> str:
        """The text behind `parameter=`, or "..." where it can't be told."""
        file = code.co_filename
        if file not in self._parsed:
            self._parsed[file] = _defaults(self._sources[file])
        return self._parsed[file].get((code.co_firstlineno, parameter), "...")


def _defaults(source: bytes) -> dict[tuple[int, str], str]:
    found: dict[tuple[int, str], str] = {}
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return found
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
            for name, default in _pairs(node.args):
                text = ast.unparse(default)
                if len(text) <= MAX_DEFAULT:  # cut, it would be no Python
                    found[first, name] = text
    return found


def _pairs(arguments: ast.arguments) -> list[tuple[str, ast.expr]]:
    positional = [*arguments.posonlyargs, *arguments.args]
    late = positional[len(positional) - len(arguments.defaults) :]
    pairs = [(a.arg, d) for a, d in zip(late, arguments.defaults, strict=True)]
    keyword = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return pairs + [(a.arg, d) for a, d in keyword if d is not None]
