"""How a `Ran` is spelled for its way back from a runner; `parcel_answer` reads it there.

answer  . while it works, a byte a second; , once the runner was asked to stop
        R dict: problems, functions, what was normalised, what it cost
        E for loading, then one for each call: u32 n, dict of n bytes, u32 n, value, arguments
        T u32 call, dict: a trace, where the order asked for traces
        D the end; or ! text: the runner's jail failed
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from app.jail import wire
from app.model import Assigned, Execution, FunctionInfo, Problem, Raised, Ran, Trace
from app.ports import SandboxFault
from app.sandbox.parcel import spelled

WORKING, LEAVING = b".", b","
HEAD, EXECUTION, TRACE, DONE, FAULT = b"R", b"E", b"T", b"D", b"!"
U32 = struct.Struct("<I")
FAULT_BYTES = 1000


def pack(ran: Ran) -> Iterator[bytes]:
    """The answer in pieces, to be sent one after another."""
    head = _sparse(
        {
            "problems": tuple(_problem(problem) for problem in ran.problems),
            "functions": tuple(_function(one) for one in ran.functions),
            "normalised": ran.normalised,
            "left_fast_lane": ran.left_fast_lane,
            **_cost(ran),
        }
    )
    yield wire.frame(HEAD, wire.encode(head, depth=wire.CONTROL_DEPTH))
    for execution in (ran.loading, *ran.executions):
        yield wire.frame(EXECUTION, _packed(execution))
    for trace in ran.traces:
        said = wire.encode({"lines": _lines(trace), "cut": trace.cut}, depth=wire.CONTROL_DEPTH)
        yield wire.frame(TRACE, U32.pack(trace.call) + said)
    yield wire.frame(DONE)


def pack_fault(fault: SandboxFault) -> bytes:
    """The answer of a runner whose jail failed."""
    return wire.frame(FAULT, str(fault).encode("utf-8", "replace")[:FAULT_BYTES])


def _sparse(said: dict[str, Any]) -> dict[str, Any]:
    """Without what is read where nothing stands, so that it takes no more than the jail's own."""
    return {key: value for key, value in said.items() if not _goes_unsaid(key, value)}


def _goes_unsaid(key: str, value: Any) -> bool:
    if value is None or value is False or (key, value) in _UNSAID:
        return True
    return isinstance(value, str | tuple) and not value and key not in _NONE_UNLESS_SAID


_UNSAID = (("line", 1), ("file", "solution.py"))
_NONE_UNLESS_SAID = ("default", "dtype")


def _cost(of: Ran | Execution) -> dict[str, Any]:
    return {
        "cpu_ms": float(of.cpu_ms),
        "wall_ms": float(of.wall_ms),
        "peak": of.peak_memory_bytes,
    }


def _problem(one: Problem) -> dict[str, Any]:
    """A problem may have no line, so that its first line is said too."""
    said = _sparse(asdict(one))
    return said if one.line is None else {**said, "line": one.line}


def _function(one: FunctionInfo) -> dict[str, Any]:
    said = asdict(one)
    return _sparse({**said, "parameters": tuple(map(_sparse, said["parameters"]))})


def _lines(trace: Trace) -> tuple[dict[str, Any], ...]:
    return tuple(
        _sparse(
            {
                "line": line.line,
                "function": line.function,
                "kind": line.kind,
                "passes": line.passes,
                "first": tuple(map(_assigned, line.first)),
                "last": tuple(map(_assigned, line.last)),
                "reads": line.reads,
                "calls": line.calls,
                "arrays": line.arrays,
            }
        )
        for line in trace.lines
    )


def _assigned(one: Assigned) -> dict[str, Any]:
    said = {"name": one.name, "type": one.type_name, "dtype": one.dtype, "text": one.text}
    return _sparse(said) if one.shape is None else {**_sparse(said), "shape": one.shape}


def _packed(execution: Execution) -> bytes:
    raised, cause = execution.raised, execution.cause
    said = {
        "ended": execution.ended,
        "raised": None if raised is None else _raised(raised),
        "stdout": execution.stdout,
        "stdout_cut": execution.stdout_cut,
        **_cost(execution),
        "cause": None if cause is None else cause.value,
        "amount": float(execution.amount),
        "signal": execution.signal,
    }
    head = wire.encode(_sparse(said), depth=wire.CONTROL_DEPTH)
    value = spelled(execution.value, wire.DEPTH)
    after = execution.arguments
    arguments = b"" if after is None else spelled(after, wire.DEPTH + 1)
    return b"".join((U32.pack(len(head)), head, U32.pack(len(value)), value, arguments))


def _raised(raised: Raised) -> dict[str, Any]:
    said = asdict(raised)
    return _sparse({**said, "frames": tuple(map(_sparse, said["frames"]))})
