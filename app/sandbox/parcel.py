"""How an order travels to a runner, in the wire's own bounded spelling, and is read there.

    order   P dict: limits, lane, trace   F u16 name, name, text ...   C function, arguments ...   G

It holds what the jail is to run and what it may use: no exercise, no case, no expected output. The
answer is spelled in `parcel_answer`. Neither side believes a byte of the other's: every fault is a
`FrameError`, and nothing is made of a size that was not compared with its bound first.
"""

from __future__ import annotations

import math
from dataclasses import asdict, fields, replace
from typing import Any

from app.jail import wire
from app.jail.control import OrderFrame
from app.model import Call, Lane, Limits, OddArray, Opaque, Order, Source, Value
from app.sandbox.decode_reports import get, instance
from app.sandbox.transcript import decode

ORDER_BYTES = 96 * 1024 * 1024
"""The longest order, in all."""

MOST_SOURCES = 16
MOST_CALLS = 4096
_FRAME_BOUNDS = {
    OrderFrame.PARAMETERS: 4096,
    OrderFrame.FILE: 4 * 1024 * 1024,
    OrderFrame.CALL: 64 * 1024 * 1024,
    OrderFrame.GO: 0,
}

CEILING = Limits(
    cpu_s=300.0,
    sleep_s=600.0,
    budget_cpu_s=300.0,
    budget_wall_s=600.0,
    memory_bytes=8192 * 1024 * 1024,
    stdout_bytes=64 * 1024 * 1024,
    result_bytes=256 * 1024 * 1024,
)
"""What a runner lends at most, whatever an order asks for: as much as an exercise may."""


def spelled(value: Value, depth: int) -> bytes:
    """The bytes of a value in the words of `model`; what did not cross stays as it was told."""
    return wire.encode(_in_wire_words(value), depth=depth)


def _in_wire_words(value: Any) -> Any:
    if isinstance(value, OddArray):
        return wire.Odd(value.dtype, value.shape)
    if isinstance(value, Opaque):
        return wire.Named(value.type_name)
    if isinstance(value, tuple):
        return tuple(_in_wire_words(part) for part in value)
    if isinstance(value, dict):
        return {key: _in_wire_words(part) for key, part in value.items()}
    return value


def pack(order: Order) -> bytes:
    """The order as a runner reads it."""
    parameters = {**asdict(order.limits), "lane": order.lane.value, "trace": order.trace}
    if going_on := tuple(n for n, call in enumerate(order.calls) if call.goes_on):
        parameters["goes_on"] = going_on
    frames = [wire.frame(OrderFrame.PARAMETERS, wire.encode(parameters))]
    for source in order.sources:
        frames.append(wire.frame(OrderFrame.FILE, wire.named_bytes(source.name, source.text)))
    for call in order.calls:
        arguments = spelled(call.arguments, wire.DEPTH + 1)
        frames.append(wire.frame(OrderFrame.CALL, wire.named_bytes(call.function, arguments)))
    return b"".join([*frames, wire.frame(OrderFrame.GO)])


def unpack(body: bytes) -> Order:
    """The order these bytes spell. Raises FrameError for anything else."""
    reader = wire.FrameReader(_FRAME_BOUNDS)
    read = list(reader.feed(body))
    kinds = b"".join(kind for kind, _ in read)
    files, calls = kinds.count(OrderFrame.FILE), kinds.count(OrderFrame.CALL)
    whole = OrderFrame.PARAMETERS + OrderFrame.FILE * files + OrderFrame.CALL * calls
    if kinds != whole + OrderFrame.GO or reader.unfinished:
        raise wire.FrameError("no order")
    if files > MOST_SOURCES or calls > MOST_CALLS:
        raise wire.FrameError(f"an order of {files} files and {calls} calls")
    said = wire.decode(read[0][1])
    return Order(
        sources=tuple(Source(*wire.split_name(text)) for _, text in read[1 : 1 + files]),
        calls=_joined([_call(payload) for _, payload in read[1 + files : -1]], said),
        limits=_limits(said),
        lane=_lane(get(said, "lane", None)),
        trace=instance(bool, get(said, "trace", None)),
    )


def _call(payload: bytes) -> Call:
    function, spelled_arguments = wire.split_name(payload)
    arguments = decode(spelled_arguments, wire.DEPTH + 1, wire.MAX_CONTROL_PARTS)
    return Call(function, instance(tuple, arguments))


def _joined(calls: list[Call], said: Any) -> tuple[Call, ...]:
    """The calls, those marked that go on with the test of the one before."""
    numbers = instance(tuple, get(said, "goes_on", ()))
    if not all(type(n) is int and 0 < n < len(calls) for n in numbers):
        raise wire.FrameError("a call that goes on with none")
    return tuple(replace(call, goes_on=n in numbers) for n, call in enumerate(calls))


def _lane(said: object) -> Lane:
    if said not in {lane.value for lane in Lane}:
        raise wire.FrameError("a lane that does not exist")
    return Lane(said)


def _limits(said: Any) -> Limits:
    """Limits of which each is a number above 0 and no more than what is lent."""
    found = {}
    for field in fields(Limits):
        ceiling = getattr(CEILING, field.name)
        number = get(said, field.name, None)
        if type(ceiling) is float and type(number) is int:
            number = float(number)
        if not 0 < instance(type(ceiling), number) <= ceiling or not math.isfinite(number):
            raise wire.FrameError(f"a limit out of bounds: {field.name}")
        found[field.name] = number
    return Limits(**found)
