"""One child from its fork to its end: descriptors, lane, locks, rehearsal, the one order, exit."""

from __future__ import annotations

import codecs
import os
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import numpy as np

from app.jail import execute, warm, wire
from app.jail.control import Answer
from app.jail.locks import confine
from app.jail.work import Answers, Work, read_work

STDOUT, ANSWERS = 1, confine.RESULT_DESCRIPTOR
NICE = 5
"""Of the slow lane: a quarter of a CPU that another wants too, and no delay for what wakes up."""
MAX_FAULT = 500
PARTING_S = 10.0
REHEARSAL_BYTES = 1 << 20


@dataclass(frozen=True)
class Duty:
    """What a child is forked for."""

    slow: bool = False
    own: bool = False
    rehearse: bool = False


@dataclass(frozen=True)
class Prepared:
    """What every child is forked with; `rehearsal` is what a spare does ahead of its order."""

    language: execute.Language
    rehearsal: Work


def prepare(*, policy: bool) -> Prepared:
    """Import and touch all that a child may need: it can open no file. Run once in the keeper."""
    warm.warm_up()
    codecs.lookup("ascii")  # what the locks write is spelled with it
    if policy:
        speaks = execute.learners()
    else:
        from app.jail import unrestricted  # never loaded where submissions are graded

        speaks = unrestricted.prepare()
    ready = Prepared(speaks, _rehearsal())
    _rehearse(ready, execute.Reserve())
    return ready


def live(
    ready: Prepared,
    locks: confine.Locks,
    limits: confine.ChildLimits,
    duty: Duty,
    order: int,
    answers: int,
) -> NoReturn:
    """Be a child: lock, wait for the order, serve it, leave. Never returns."""
    try:
        _settle(order, answers)
        if duty.slow:
            _step_back()
        speaks = execute.own_functions() if duty.own else ready.language
        confine.lock(locks, limits)
        reserve = execute.Reserve()
        if duty.rehearse:
            _rehearse(ready, reserve)
        wire.write_all(ANSWERS, wire.frame(Answer.HELLO))
        work = read_work(0)
        if work is not None:
            _serve(work, speaks, reserve)
    except BaseException as error:  # noqa: BLE001 - a child must never run on into the keeper's code
        _confess(error)
    finally:
        os._exit(0)


def _serve(work: Work, speaks: execute.Language, reserve: execute.Reserve) -> None:
    told = Answers(ANSWERS, work.stdout_bytes, work.result_bytes, work.files)
    told.say(Answer.BEGUN)
    execute.run(work, speaks, told, reserve)
    told.say(Answer.DONE)
    _wait_to_be_ended()


def _wait_to_be_ended() -> None:
    """The trusted side looks at what the child has cost, and ends it. A lock: it may not sleep."""
    never = threading.Lock()
    never.acquire()
    never.acquire(timeout=PARTING_S)


def _settle(order: int, answers: int) -> None:
    """A session of its own, and descriptors: 0 the order, 1 and 2 nowhere, 3 the answers."""
    os.setsid()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor, number in ((order, 0), (nowhere, 1), (nowhere, 2), (answers, ANSWERS)):
        os.dup2(descriptor, number)


def _step_back() -> None:
    """Let others go first, but not for ever: idle priority would starve on a busy machine."""
    os.nice(NICE)
    try:
        with open("/proc/self/autogroup", "w", encoding="ascii") as file:
            file.write(str(NICE))  # desktop kernels weigh sessions before processes
    except OSError:
        pass


def _rehearsal() -> Work:
    """A dummy order, so that the pages a child will write are its own before it is needed."""
    x = np.linspace(-1.0, 1.0, 96).reshape(12, 8)
    arguments = wire.encode((x, x[::-1], x * 2, 2), depth=wire.DEPTH + 1)
    return Work(
        files={"rehearsal.py": Path(__file__).with_name("rehearsal.py").read_bytes()},
        calls=(("rehearse", arguments),) * 2,
        stdout_bytes=REHEARSAL_BYTES,
        result_bytes=REHEARSAL_BYTES,
        trace=False,
    )


def _rehearse(ready: Prepared, reserve: execute.Reserve) -> None:
    work = ready.rehearsal
    nowhere = Answers(STDOUT, work.stdout_bytes, work.result_bytes)
    execute.run(work, ready.language, nowhere, reserve)


def _confess(error: BaseException) -> None:
    try:
        text = f"{type(error).__name__}: {error}"[:MAX_FAULT]
        wire.write_all(ANSWERS, wire.frame(Answer.FAULT, text.encode("utf-8", "replace")))
    except BaseException:  # noqa: BLE001, S110 - nothing is left to say it with
        pass
