"""Who says what across the wall: the letters of all messages, and the two of fixed size.

    control socket   trusted -> keeper   TAKEN: a spare was taken; REQUEST and a socket: fork one
                     keeper -> trusted   a report as JSON, once; then SPARE and a socket, for each
    child's socket   keeper -> trusted   CHILD: order pipe, answers pipe, pidfd; at last ENDED
    order pipe       trusted -> child    PARAMETERS, FILE ..., CALL ..., GO
    answers pipe     child -> trusted    the frames of `Answer`, in the order `app.jail.wire` gives

Both sides read these from here. The child, which may be anybody's, writes to the last one only.
"""

from __future__ import annotations

import struct


class Control:
    """The first byte of each message on the control socket and on a child's socket."""

    TAKEN = b"T"
    REQUEST = b"R"
    SPARE = b"S"
    CHILD = b"C"
    ENDED = b"X"


REQUEST = struct.Struct("<cIQBB")
"""Control.REQUEST, whole seconds of CPU, bytes of memory, 1 for the slow lane, 1 for `own`."""

ENDED = struct.Struct("<cIddQ")
"""Control.ENDED, wait status, user seconds, system seconds, peak resident KiB."""


class OrderFrame:
    """The kinds of frames of an order."""

    PARAMETERS = b"P"
    FILE = b"F"
    CALL = b"C"
    GO = b"G"
    ALL = (PARAMETERS, FILE, CALL, GO)


class Answer:
    """The kinds of frames that a child answers with."""

    HELLO = b"H"
    FAULT = b"!"
    BEGUN = b"B"
    PRINTED = b"O"
    PROBLEMS = b"P"
    LOADED = b"L"
    STARTED = b"S"
    VALUE = b"V"
    RAISED = b"E"
    MISSING = b"N"
    TRACE = b"T"
    DONE = b"D"
    OUT_OF_MEMORY = b"M"
    LIMIT = b"X"
    SMALL = (HELLO, BEGUN, STARTED, MISSING, DONE, OUT_OF_MEMORY, LIMIT)
    REPORTS = (PROBLEMS, LOADED, RAISED, FAULT)


PRINTS, RESULTS = b"stdout", b"results"
"""What Answer.LIMIT names; after that of prints may stand the learner's line."""
