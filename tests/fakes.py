"""Fakes of the ports: a sandbox that simply executes, in this process, without any wall.

Only for sources written in this repository. It passes the contract suite of the sandbox as far as
a fake can: it has no limits and no policy.
"""

from __future__ import annotations

import contextlib
import copy
import inspect
import io
import linecache
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Sequence
from types import FunctionType, ModuleType
from typing import Any, cast

import numpy as np

from app.jail.mathml import mathml
from app.model import (
    Cause,
    Execution,
    Formula,
    FunctionInfo,
    Layer,
    OddArray,
    Opaque,
    Order,
    Parameter,
    Problem,
    Raised,
    Ran,
    Source,
    SourceFrame,
    Typeset,
    Value,
)
from app.sandbox import typesetting as checked

Namespace = dict[str, Any]

ONE_AT_A_TIME = threading.RLock()
"""Output, warnings and `sys.modules` are the process's: two threads would take each other's."""


class FakeSandbox:
    """Runs orders by plain `exec` and answers in the words of `app.model`; implements Sandbox."""

    def run(self, order: Order) -> Ran:
        with ONE_AT_A_TIME:
            return self._run(order)

    def _run(self, order: Order) -> Ran:
        problems = [p for source in order.sources if (p := _problem(source)) is not None]
        if problems:
            return Ran(problems=tuple(problems), executions=_not_run(order))
        module = ModuleType("solution")  # a real one: @dataclass looks its names up there
        sys.modules["solution"] = module
        try:
            return self._run_in(module.__dict__, order)
        finally:
            sys.modules.pop("solution", None)  # the jail's tests make one of their own

    def _run_in(self, namespace: Namespace, order: Order) -> Ran:
        loading = _watched(lambda: _load(order.sources, namespace), order.sources)
        if loading.ended != "returned":
            return Ran(loading=loading, executions=_not_run(order))
        executions = tuple(
            _call(namespace, call.function, call.arguments, order.sources) for call in order.calls
        )
        return Ran(
            loading=loading,
            executions=executions,
            functions=_functions(namespace, order.sources),
        )

    def describe(self, source: Source) -> tuple[tuple[FunctionInfo, ...], tuple[Problem, ...]]:
        ran = self.run(Order((source,), ()))
        if ran.loading.raised is not None:
            raised = ran.loading.raised
            message = f"{raised.type}: {raised.message}"
            return (), (Problem("policy", raised.line, None, None, message),)
        return ran.functions, ran.problems

    def typeset(self, formulas: Sequence[Formula]) -> tuple[Typeset, ...]:
        said = tuple(Execution("returned", value=mathml(one.tex, one.display)) for one in formulas)
        return checked.typeset(formulas, Ran(executions=said))

    def layers(self) -> tuple[Layer, ...]:
        return (Layer("fake", required=True, present=True),)

    def close(self) -> None:
        """Nothing to end."""


def _not_run(order: Order) -> tuple[Execution, ...]:
    return tuple(Execution("not_run") for _ in order.calls)


def _problem(source: Source) -> Problem | None:
    try:
        if not source.text.strip():
            return Problem("policy", None, None, None, "There is no code to run.", "Write some.")
        compile(source.text, source.name, "exec")
    except SyntaxError as error:
        return Problem(
            "syntax",
            error.lineno,
            error.offset,
            error.end_offset,
            error.msg,
            about="indentation" if isinstance(error, IndentationError) else "",
        )
    except ValueError as error:
        return Problem("syntax", None, None, None, str(error))
    return None


def _load(sources: tuple[Source, ...], namespace: Namespace) -> None:
    for source in sources:
        text = source.text.decode("utf-8", "surrogatepass")
        linecache.cache[source.name] = (len(text), None, text.splitlines(True), source.name)
        exec(compile(source.text, source.name, "exec"), namespace)  # noqa: S102 - the fake's work


def _call(
    namespace: Namespace, name: str, arguments: tuple[Value, ...], sources: tuple[Source, ...]
) -> Execution:
    function = namespace.get(name)
    if not callable(function):
        return Execution("not_run", cause=Cause.NO_FUNCTION)
    return execute(function, arguments, sources)


def execute(
    function: Callable[..., Any],
    arguments: tuple[Value, ...],
    sources: tuple[Source, ...] = (),
) -> Execution:
    """What a function gives on fresh copies of these arguments."""
    own = copy.deepcopy(arguments)
    return _watched(lambda: function(*own), sources, own)


def _watched(
    action: Callable[[], Any], sources: tuple[Source, ...], arguments: tuple[Value, ...] = ()
) -> Execution:
    """Do it, and say what came of it."""
    printed = io.StringIO()
    try:
        with ONE_AT_A_TIME, contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with np.errstate(all="ignore"):
                value = crossed(action())
    except (Exception, SystemExit, GeneratorExit) as error:  # noqa: BLE001 - anybody's code
        return Execution("raised", raised=_raised(error, sources), stdout=printed.getvalue())
    after = tuple(crossed(argument) for argument in arguments)
    return Execution("returned", value=value, arguments=after, stdout=printed.getvalue())


def crossed(value: Any, depth: int = 3) -> Value:
    """A value as it arrives on the trusted side of the wall."""
    if type(value) is np.ndarray:
        if value.dtype.kind in "biuf" and value.dtype.itemsize <= 8:
            return value.copy()
        return OddArray(str(value.dtype), value.shape)
    if value is None or type(value) in (bool, int, float, str):
        return cast(Value, value)
    if isinstance(value, np.bool_ | np.integer | np.floating):
        return cast(Value, value.item())
    if type(value) is tuple and depth:
        return tuple(crossed(part, depth - 1) for part in value)
    if type(value) is dict and depth and all(type(key) is str for key in value):
        return {key: crossed(part, depth - 1) for key, part in value.items()}
    return Opaque(type(value).__name__)


def _raised(error: BaseException, sources: tuple[Source, ...]) -> Raised:
    names = {source.name for source in sources}
    lines = [f for f in traceback.extract_tb(error.__traceback__) if f.filename in names]
    frames = tuple(
        SourceFrame(
            f.lineno or 1,
            f.name,
            None if f.colno is None else f.colno + 1,
            None if f.end_colno is None else f.end_colno + 1,
            f.filename,
        )
        for f in lines
    )
    last = traceback.extract_tb(error.__traceback__)[-1]
    said = (last.line or "").strip()
    own = last.filename in names and said.startswith(("raise", "assert"))
    return Raised(type(error).__name__, str(error), frames, own)


def _functions(namespace: Namespace, sources: tuple[Source, ...]) -> tuple[FunctionInfo, ...]:
    names = [source.name for source in sources]
    found = [
        (names.index(value.__code__.co_filename), value.__code__.co_firstlineno, name, value)
        for name, value in namespace.items()
        if isinstance(value, FunctionType)
        and value.__code__.co_filename in names
        and not name.startswith("_")
    ]
    return tuple(_info(name, line, value) for _, line, name, value in sorted(found, key=_place))


def _place(found: tuple[int, int, str, FunctionType]) -> tuple[int, int]:
    return found[:2]


def _info(name: str, line: int, function: FunctionType) -> FunctionInfo:
    parameters = tuple(
        Parameter(p.name, p.kind.name, None if p.default is p.empty else repr(p.default))
        for p in inspect.signature(function).parameters.values()
    )
    return FunctionInfo(name, parameters, inspect.getdoc(function) or "", line)
