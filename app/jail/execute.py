"""Inside: what a locked child does with its one order: compile, load, call, answer.

The polite half of the protocol of `wire`. The trusted side believes none of it: learner code can
write frames of its own, so whatever is checked here is checked again there, and what a process cost
and how it ended is told by the kernel, not by the process.
"""

from __future__ import annotations

import mmap
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from app.jail import attempts, functions, wire
from app.jail.control import Answer
from app.jail.explain import exceptions
from app.jail.explain.memory import last_words
from app.jail.mutate import mutants
from app.jail.offer import globals as offered
from app.jail.policy import compile as policy
from app.jail.trace.recorder import Tracer
from app.jail.work import Answers, Work

MODULE = "solution"
RESERVE_BYTES = (1024 + 64) * 1024
"""One of the pieces in which Python takes memory, and a little."""

MAX_PROBLEMS = 50
MAX_REPORT_BYTES = 60 * 1024
ARGUMENT_SLACK_BYTES = 64 * 1024
SEED = 12345

Write = Callable[[str], object]


class Language(NamedTuple):
    """`compile_source` takes and gives what `policy.compile.compile_source` does."""

    compile_source: Callable[[bytes, str, policy.Rewrite | None], policy.Compiled]
    namespace: Callable[[Write], dict[str, Any]]


def learners() -> Language:
    """The language of submissions and of exercise folders."""
    return Language(policy.compile_source, lambda write: offered.namespace(write, module=MODULE))


def own_functions() -> Language:
    """No source at all: the jail's own functions, `attempts` for the self-test, and what authors
    need. To be called before the child is locked, for the parser of formulas is a file.
    """
    own: dict[str, Any] = {**attempts.ATTEMPTS, "mutants": mutants.mutants}
    with suppress(ImportError):  # whose absence is told when it is called for
        from app.jail.mathml import mathml

        own["mathml"] = mathml
    return Language(policy.compile_source, lambda write: dict(own))


class Reserve:
    """Address space held back, so that a child without any has room to say so.

    Nothing is written to it: what runs out in a child is addresses, and pages cost time.
    """

    def __init__(self) -> None:
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        self._held = mmap.mmap(-1, RESERVE_BYTES, flags=flags)

    def release(self) -> None:
        """Give it back, for the last words; without making anything first, for there is no room."""
        self._held.close()


def run(work: Work, language: Language, answers: Answers, reserve: Reserve) -> None:
    """Load the files and make the calls, answering as it goes; may end the process."""
    try:
        _run(work, language, answers)
    except MemoryError as error:
        reserve.release()
        answers.end(Answer.OUT_OF_MEMORY, last_words(error, work.files))


def _run(work: Work, language: Language, answers: Answers) -> None:
    np.random.seed(SEED)  # the global state that learner code may use
    tracer = Tracer() if work.trace else None
    namespace = _load(work, language, answers, tracer)
    if namespace is None:
        return
    for index, (name, spelled) in enumerate(work.calls):
        answers.say(Answer.STARTED, index.to_bytes(4, "little"))
        function = namespace.get(name)
        if callable(function):
            _call(function, spelled, work, answers, tracer)
        else:
            answers.hold(Answer.MISSING, b"")


def _load(
    work: Work, language: Language, answers: Answers, tracer: Tracer | None
) -> dict[str, Any] | None:
    """The namespace after running every file, or None (and the reason said)."""
    started = _Clock()
    codes = []
    normalised: list[str] = []
    for name, text in work.files.items():
        compiled = language.compile_source(text, name, tracer.rewrite if tracer else None)
        normalised += compiled.normalised
        if compiled.code is None:
            problems = compiled.problems[:MAX_PROBLEMS]
            answers.hold(Answer.PROBLEMS, _report({"problems": problems, "normalised": normalised}))
            return None
        codes.append(compiled.code)
    namespace = language.namespace(answers.print)
    if tracer:
        namespace.update(tracer.names)
    try:
        for code in codes:
            exec(code, namespace)  # the one place where learner code begins
        described = functions.defined(namespace, work.files)
        loaded = _loaded(described, normalised)
    except MemoryError:
        raise
    except BaseException as error:  # noqa: BLE001 - the edge of learner code
        answers.hold(Answer.RAISED, started.cost() + _explained(error, work.files))
        return None
    answers.hold(Answer.LOADED, started.cost() + loaded)
    return namespace


def _loaded(described: list[dict[str, Any]], normalised: list[str]) -> bytes:
    """What was loaded, to be told. ValueError where that takes too much room."""
    try:
        said = {"functions": described, "normalised": normalised}
        return _report(said, most=4 * MAX_REPORT_BYTES)
    except ValueError:
        message = "the parameters and docstrings of all functions together are too long"
        raise ValueError(message) from None


def _call(
    function: Any, spelled: bytes, work: Work, answers: Answers, tracer: Tracer | None
) -> None:
    if tracer is None:
        _answer(function, spelled, work, answers)
        return
    tracer.start()
    _answer(function, spelled, work, answers)
    answers.hold(Answer.TRACE, wire.encode(tracer.finish(), depth=wire.CONTROL_DEPTH))


def _answer(function: Any, spelled: bytes, work: Work, answers: Answers) -> None:
    arguments = wire.decode(spelled, depth=wire.DEPTH + 1)
    started = _Clock()
    try:
        value = function(*arguments)
    except MemoryError:
        raise
    except BaseException as error:  # noqa: BLE001 - the edge of learner code
        answers.hold(Answer.RAISED, started.cost() + _explained(error, work.files))
        return
    cost = started.cost()
    given = wire.encode(value, room=work.result_bytes, most=wire.MAX_PARTS)
    after = _arguments_after(arguments, spelled)
    answers.result(cost + len(given).to_bytes(4, "little") + given + after)


def _arguments_after(arguments: tuple[Any, ...], spelled: bytes) -> bytes:
    """The arguments as the call left them; nothing where they are as they were."""
    after = wire.encode(arguments, depth=wire.DEPTH + 1, most=wire.MAX_ARGUMENT_PARTS)
    if after == spelled:
        return b""
    is_whole = after.startswith(b"(")  # of too many parts, it is spelled by its name
    if not is_whole or len(after) > len(spelled) + ARGUMENT_SLACK_BYTES:
        return wire.encode(tuple(wire.Named(type(a).__name__) for a in arguments))
    return after


def _explained(error: BaseException, files: Mapping[str, bytes]) -> bytes:
    """The exception as `explain` tells it; by its type alone where even that fails."""
    try:
        texts = {name: text.decode("utf-8", "replace") for name, text in files.items()}
        return _report(exceptions.raised(error, texts))
    except MemoryError:
        raise
    except BaseException:  # noqa: BLE001 - the exception's own __str__ is learner code too
        return _report({"type": type(error).__name__[: wire.MAX_NAME], "message": ""})


def _report(report: dict[str, Any], most: int = MAX_REPORT_BYTES) -> bytes:
    data = wire.encode(_plain(report), depth=wire.CONTROL_DEPTH)
    if len(data) > most:
        raise ValueError(f"a report of {len(data)} bytes")
    return data


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(_plain(item) for item in value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


class _Clock:
    """What has passed since it was made."""

    def __init__(self) -> None:
        self._cpu_ns = time.thread_time_ns()  # the process clock only ticks under RLIMIT_CPU
        self._wall_ns = time.perf_counter_ns()

    def cost(self) -> bytes:
        return wire.COST.pack(
            time.thread_time_ns() - self._cpu_ns, time.perf_counter_ns() - self._wall_ns
        )
