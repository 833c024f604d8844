"""What one child said, frame by frame, held to the order that frames may come in.

    H  B  [O ...]  P D | E D | L ( S [O ...] V|E|N [T] ) for each call  D    M, X: the end, anywhere

A child that breaks this order, or a frame, is not believed in what it says from there on.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from app.jail import wire
from app.jail.control import Answer
from app.model import FunctionInfo, OddArray, Opaque, Problem, Raised, Trace
from app.sandbox import decode_reports, decode_trace

REPORT_BYTES = 512 * 1024
ARGUMENT_SLACK_BYTES = 128 * 1024
KEPT_BYTES = 16 * 1024


@dataclass(frozen=True)
class Heard:
    """What was heard of loading or of one call: at most one of value, raised and missing.

    `arguments` is None where the child says they are as they were.
    """

    value: Any = None
    arguments: Any = None
    raised: Raised | None = None
    missing: bool = False
    cpu_ms: float = 0.0
    wall_ms: float = 0.0


@dataclass
class Transcript:
    """The state of one conversation; `hear` moves it on, `broken` says why it is not believed.

    `stage` is "waiting", "greeted", "begun", "loaded", "refused", "calling", "told" (of a call) or
    "over". `printed` holds the output of loading, then that of each call.
    """

    calls: int
    stdout_bytes: int
    stage: str = "waiting"
    begun: bool = False
    fault: str | None = None
    broken: str | None = None
    problems: tuple[Problem, ...] = ()
    normalised: tuple[str, ...] = ()
    functions: tuple[FunctionInfo, ...] = ()
    loading: Heard = Heard()
    traces: list[Trace] = field(default_factory=list)
    heard: list[Heard] = field(default_factory=list)
    printed: list[bytearray] = field(default_factory=lambda: [bytearray()])
    last: bytes = b""
    limit: str = ""
    printing: Raised | None = None
    out_of_memory: Raised | None = None
    _printed_bytes: int = 0

    def hear(self, kind: bytes, payload: bytes) -> None:
        """Take one frame in; FrameError where it must not come now or spells nothing."""
        stages, take = _FRAMES[kind]
        if self.stage not in stages:
            raise wire.FrameError(f"frame {kind!r} while {self.stage}")
        take(self, payload)

    @property
    def done(self) -> bool:
        """Whether the child said that it had done all, and nothing after it."""
        return self.last == Answer.DONE and self.broken is None

    def _hello(self, payload: bytes) -> None:
        self.stage = "greeted"

    def _fault(self, payload: bytes) -> None:
        self.fault = payload.decode("utf-8", "replace")
        self.stage = "over"

    def _begin(self, payload: bytes) -> None:
        self.begun = True
        self.stage = "begun"

    def _print(self, payload: bytes) -> None:
        if not payload:
            raise wire.FrameError("output that is empty")
        self.printed[-1] += payload
        self._printed_bytes += len(payload)
        if self._printed_bytes > self.stdout_bytes:
            raise wire.FrameError("more output than a child lets through")

    def _set(self, part: Heard) -> None:
        if self.heard:
            self.heard[-1] = part
        else:
            self.loading = part

    def _problems(self, payload: bytes) -> None:
        said = _control(payload)
        self.problems = decode_reports.problems(said)
        self.normalised = decode_reports.texts(said, "normalised")
        self.stage = "refused"

    def _loaded(self, payload: bytes) -> None:
        told, rest = _cost(payload)
        read = _kept if len(rest) <= KEPT_BYTES else _defined
        self.functions, self.normalised = read(bytes(rest))
        self._set(told)
        self.stage = "loaded"

    def _start(self, payload: bytes) -> None:
        if len(self.heard) == self.calls or payload != len(self.heard).to_bytes(4, "little"):
            raise wire.FrameError("a call out of turn")
        self.heard.append(Heard())
        self.printed.append(bytearray())
        self.stage = "calling"

    def _value(self, payload: bytes) -> None:
        told, rest = _cost(payload)
        size = int.from_bytes(rest[:4], "little")
        value = decode(rest[4 : 4 + size], wire.DEPTH, wire.MAX_PARTS)
        after = rest[4 + size :]
        arguments = decode(after, wire.DEPTH + 1, wire.MAX_ARGUMENT_PARTS) if after else None
        if after and type(arguments) is not tuple:
            raise wire.FrameError("arguments that are no tuple")
        self._set(replace(told, value=value, arguments=arguments))
        self.stage = "told"

    def _raised(self, payload: bytes) -> None:
        told, rest = _cost(payload)
        self._set(replace(told, raised=decode_reports.raised(_control(rest))))
        self.stage = "told" if self.heard else "refused"

    def _missing(self, payload: bytes) -> None:
        self._set(Heard(missing=True))
        self.stage = "told"

    def _traced(self, payload: bytes) -> None:
        call = len(self.heard) - 1
        if self.traces and self.traces[-1].call == call:
            raise wire.FrameError("a second trace of one call")
        self.traces.append(decode_trace.trace(_control(payload), call))

    def _end(self, payload: bytes) -> None:
        complete = self.stage == "refused" or len(self.heard) == self.calls
        if not complete:
            raise wire.FrameError("done before all calls were made")
        self.last, self.stage = Answer.DONE, "over"

    def _out_of_memory(self, payload: bytes) -> None:
        self.out_of_memory = decode_reports.out_of_memory(payload)
        self.last, self.stage = Answer.OUT_OF_MEMORY, "over"

    def _limit(self, payload: bytes) -> None:
        self.limit, self.printing = decode_reports.limit(payload)
        self.last, self.stage = Answer.LIMIT, "over"


_RUNNING = ("begun", "loaded", "calling", "told")
_FRAMES = {
    Answer.HELLO: (("waiting",), Transcript._hello),
    Answer.FAULT: (("waiting",), Transcript._fault),
    Answer.BEGUN: (("greeted",), Transcript._begin),
    Answer.PRINTED: (_RUNNING, Transcript._print),
    Answer.PROBLEMS: (("begun",), Transcript._problems),
    Answer.LOADED: (("begun",), Transcript._loaded),
    Answer.STARTED: (("loaded", "told"), Transcript._start),
    Answer.VALUE: (("calling",), Transcript._value),
    Answer.RAISED: (("begun", "calling"), Transcript._raised),
    Answer.MISSING: (("calling",), Transcript._missing),
    Answer.TRACE: (("told",), Transcript._traced),
    Answer.DONE: (("loaded", "told", "refused"), Transcript._end),
    Answer.OUT_OF_MEMORY: (_RUNNING, Transcript._out_of_memory),
    Answer.LIMIT: (_RUNNING, Transcript._limit),
}


def bounds(
    stdout_bytes: int, result_bytes: int, argument_bytes: int, *, trace: bool = False
) -> dict[bytes, int]:
    """The longest payload of every kind of frame; only a traced child may send traces."""
    small = dict.fromkeys(Answer.SMALL, 64)
    reports = dict.fromkeys(Answer.REPORTS, REPORT_BYTES)
    value = result_bytes + argument_bytes + ARGUMENT_SLACK_BYTES
    found = {**small, **reports, Answer.PRINTED: stdout_bytes, Answer.VALUE: value}
    return {**found, Answer.TRACE: decode_trace.TRACE_BYTES} if trace else found


def decode(data: bytes, depth: int, most: int) -> Any:
    """A value of no more than `most` parts in the words of `model`; raises FrameError."""
    return wire.decode(data, depth=depth, most=most, odd=OddArray, named=Opaque)


def _control(data: bytes) -> Any:
    return wire.decode(data, depth=wire.CONTROL_DEPTH, most=wire.MAX_CONTROL_PARTS)


def _defined(data: bytes) -> tuple[tuple[FunctionInfo, ...], tuple[str, ...]]:
    """What loaded files define, and which characters were read as others."""
    said = _control(data)
    return decode_reports.functions(said), decode_reports.texts(said, "normalised")


_kept = lru_cache(maxsize=256)(_defined)
"""Most programs define what one before them did: reading it was two fifths of our own work."""


def _cost(payload: bytes) -> tuple[Heard, bytes]:
    if len(payload) < wire.COST.size:
        raise wire.FrameError("no cost")
    cpu_ns, wall_ns = wire.COST.unpack_from(payload)
    heard = Heard(cpu_ms=cpu_ns / 1e6, wall_ms=wall_ns / 1e6)
    return heard, payload[wire.COST.size :]
