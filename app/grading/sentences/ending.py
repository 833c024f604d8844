"""Words for calls that gave no value: exceptions, limits, what the wall stopped, and not run.

Each sentence names the limit it speaks of. What a learner's own `raise` says is shown for visible
cases only; `grading.hidden` says what else a hidden case shows.
"""

from __future__ import annotations

import re

from app.grading.sentences.phrases import (
    MESSAGE_CHARACTERS,
    class_name,
    seconds,
    shown,
    size,
)
from app.model import Cause, Ended, Execution, Limits, Raised

OWN_MESSAGE_HIDDEN = "Your own message is shown for visible tests only."
SHORT_WORDS, SHORT = 9, 80
REFUSED = "NotAvailable"
"""What the jail raises where something is refused at run time (app/jail)."""

_ALLOCATION = re.compile(
    r"Unable to allocate ([\d.]+ \w+)(?: for an array with shape (\([^)]*\)))?"
)


def sentence(execution: Execution, limits: Limits, visible: bool, subject: str) -> str:
    """What happened, its first sentence short; `subject` is "This test" or "The fourth test"."""
    ended: Ended = "memory_limit" if execution.is_out_of_memory else execution.ended
    if ended == "raised" and execution.raised is not None:
        return _raised(execution.raised, visible)
    if ended == "crashed":
        return _crash(execution, subject)
    if ended == "output_limit":
        return _output(execution, limits)
    if ended == "memory_limit":
        return _memory(execution, limits, subject)
    if ended in ("time_limit", "sleep_limit"):
        return _time(execution, limits, subject)
    if ended == "killed":
        what = "asked the system for something no exercise needs"
        if execution.cause is Cause.FORGED:
            what = "wrote into the channel that carries its results"
        if execution.cause is Cause.MACHINES:
            what = "ended two machines that ran it"
        return f"{_line_or(execution, subject)} {what}, and was stopped."
    return f"{subject} was not run."


def _crash(execution: Execution, subject: str) -> str:
    if execution.cause is Cause.LEFT:
        return f"{subject} ended the process before it was done."
    reason = f" ({execution.signal})" if execution.signal else ""
    return f"{subject} crashed the process{reason}."


def _time(execution: Execution, limits: Limits, subject: str) -> str:
    is_shared = execution.cause is Cause.SHARED
    who = "All tests together" if is_shared else subject
    if execution.ended == "sleep_limit":
        limit = limits.budget_wall_s if is_shared else limits.sleep_s
        return f"{who} waited for {seconds(limit)} and didn't finish."
    limit = limits.budget_cpu_s if is_shared else limits.cpu_s
    return f"{who} took longer than {seconds(limit)} of computing time."


def _line_or(execution: Execution, subject: str) -> str:
    line = execution.raised.line if execution.raised is not None else None
    return subject if line is None else f"Line {line}"


def _raised(raised: Raised, visible: bool) -> str:
    name = class_name(raised.type)
    article = "an" if name[:1].upper() in "AEIOU" else "a"
    where = "The call" if raised.line is None else f"Line {raised.line}"
    said = public_message(raised, visible)
    if raised.type == REFUSED and said:
        return f"{where}: {said}"
    if raised.gist:
        return f"{where} stops: {shown(raised.gist, MESSAGE_CHARACTERS)}."
    first = f"{where} stops with {article} {name}"
    if not said or said == OWN_MESSAGE_HIDDEN:
        return f"{first}. {said}".strip()
    if len(said.split()) <= SHORT_WORDS and len(said) <= SHORT:
        return f"{first}: {said}"
    return f"{first}. It says: {said}"


def note(execution: Execution) -> str:
    """The short sentence that stands under the line of an exception; "" where there is none."""
    raised = execution.raised
    if raised is None or execution.ended != "raised" or not raised.gist:
        return ""
    said = shown(raised.note or raised.gist, MESSAGE_CHARACTERS)
    return said[:1].upper() + said[1:] + ("" if said.endswith((".", "?")) else ".")


def original(execution: Execution, visible: bool) -> str:
    """An exception as Python tells it, where plain words stand in its place; else ""."""
    raised = execution.raised
    if raised is None or not note(execution):
        return ""
    return f"{class_name(raised.type)}: {public_message(raised, visible)}"


def public_message(raised: Raised, visible: bool) -> str:
    """The exception's message as this case may show it; "" where there is none.

    That of a hidden case was reduced before (`grading.hidden`), but for the learner's own.
    """
    if raised.own and not visible and raised.message:
        return OWN_MESSAGE_HIDDEN
    text = shown(" ".join(raised.message.split()), MESSAGE_CHARACTERS)
    return text if not text or text.endswith((".", "!", "?", "…")) else f"{text}."


def _output(execution: Execution, limits: Limits) -> str:
    if execution.cause is Cause.RESULTS:
        return f"The output is larger than {size(limits.result_bytes)}, the limit."
    who = _line_or(execution, "Your code")
    return f"{who} printed more than {size(limits.stdout_bytes)}; the rest was cut."


def _memory(execution: Execution, limits: Limits, subject: str) -> str:
    limit = size(limits.memory_bytes)
    asked = _ALLOCATION.search(execution.raised.message) if execution.raised else None
    if asked and _bytes(asked[1]) < limits.memory_bytes:
        return (
            f"{_line_or(execution, subject)} asked for {asked[1]} more than the limit of {limit} "
            "leaves."
        )
    if asked:
        return f"{_line_or(execution, subject)} asked for {asked[1]}; the limit is {limit}."
    if execution.cause is Cause.BY_SYSTEM:
        what = f"The system ended {_lower(subject)}, most likely because memory ran out."
        return f"{what} The limit is {limit}."
    return f"{_line_or(execution, subject)} needed more memory than the limit of {limit}."


def _bytes(text: str) -> float:
    """The number of bytes that NumPy's message asks for: "1.5 GiB"."""
    number, unit = text.split(" ")
    power = "KMGTPE".find(unit[0]) + 1
    return float(number) * 1024.0**power


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def advice(execution: Execution, limits: Limits) -> str:
    """What to try; "" where the sentence says all."""
    if execution.ended == "raised" and not execution.is_out_of_memory:
        return shown(execution.raised.help, MESSAGE_CHARACTERS) if execution.raised else ""
    asked = _ALLOCATION.search(execution.raised.message) if execution.raised else None
    if asked and asked[2] and _bytes(asked[1]) >= limits.memory_bytes:
        return f"Its shape would be {asked[2]}."
    return {
        "output_limit": _OUTPUT[execution.cause is Cause.RESULTS],
        "memory_limit": "Does a list or an array keep growing in a loop?",
        "raised": "Does a list or an array keep growing in a loop?",
        "time_limit": (
            "Is there a loop that never ends? Or one that a single matmul could replace?"
        ),
        "sleep_limit": "No exercise needs to wait. Remove what waits.",
        "killed": "Your function gets everything it needs as arguments.",
        "crashed": "NumPy rarely crashes by itself: look at the last array call.",
        "not_run": _not_run(execution, limits),
    }.get(execution.ended, "")


_OUTPUT = {
    True: "Return only the output the exercise asks for.",
    False: "Print shapes rather than arrays, and not in every pass of a loop.",
}


def _not_run(execution: Execution, limits: Limits) -> str:
    if execution.cause is not None:
        return brief(execution)
    return (
        "Once two tests had to be stopped, or all tests together have used "
        f"{seconds(limits.budget_cpu_s)} of computing time, the others are skipped."
    )


_BRIEF: dict[Cause, str] = {
    Cause.CALL: "{amount:g} s",
    Cause.SHARED: "{amount:g} s for all calls together",
    Cause.LANE: "left the fast lane",
    Cause.STARVED: "no CPU to run on",
    Cause.MEMORY: "{size}",
    Cause.NEAR_MEMORY: "{signal} near {size}",
    Cause.BY_SYSTEM: "the system ended it, most likely for memory",
    Cause.PRINTS: "wrote over {size}",
    Cause.RESULTS: "results over {size}",
    Cause.SYSTEM_CALL: "SIGSYS",
    Cause.FORGED: "a forged frame",
    Cause.CLOSED: "it closed its answers",
    Cause.LEFT: "it left before it was done",
    Cause.SIGNAL: "{signal}",
    Cause.NO_FUNCTION: "no such function",
    Cause.MACHINES: "two machines ended under it",
}


def brief(execution: Execution) -> str:
    """The cause in a few words, as an author or a log reads it; "" where there is none."""
    if execution.cause is None:
        return ""
    return _BRIEF[execution.cause].format(
        amount=execution.amount, signal=execution.signal, size=size(int(execution.amount))
    )
