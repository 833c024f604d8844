"""The bounds: how much of anything foreign is taken in, worked on, kept or shown.

Everything that turns a stranger's text or values into something takes its bound from here. What is
over a bound is refused or cut, and the answer says which. The jail has bounds of its own
(`jail/wire_values.py`, `model.Limits`), for it imports nothing of the trusted side.
"""

from __future__ import annotations

from dataclasses import dataclass

# ------------------------------------------------------------------ reports

REPORT_BYTES = 256_000
"""A report as JSON is never longer, whatever was returned or printed."""

STORED_REPORT_BYTES = 4_000_000
"""A report that was stored before there was a bound and is longer than this is never loaded."""

PRINTS_BYTES = 16_000
"""What prints may keep of a full report; the rest of them is cut before any value is."""

TRACE_BYTES = 64_000
"""The shape trace in a report; lines that come later are left out."""

PROBE_BYTES = 128_000
"""The labelled probe in a report; a larger one is left out."""

PROBLEMS = 100
"""Problems of a source that a report lists."""

TEXT = 4_000
"""Characters of one text that is a value of a report."""

DIGIT_BITS = 4_000
"""A whole number of more bits is told by its length: Python itself refuses to print it."""


@dataclass(frozen=True)
class ValueBounds:
    """How much of one value a report shows: numbers of arrays, parts of tuples and dicts, depth."""

    numbers: int
    parts: int
    depth: int = 3


VALUES = (
    ValueBounds(4_096, 64),
    ValueBounds(1_024, 64),
    ValueBounds(256, 32),
    ValueBounds(64, 16),
    ValueBounds(16, 8),
    ValueBounds(0, 0),
)
"""The first that lets a report fit is taken for all of its values."""

# ------------------------------------------------------------------ what is kept

KEPT_BYTES = 512 * 1024
"""No text longer than this is kept; one over 64 KiB is kept and judged a policy error."""

DRAFT_BYTES = 128 * 1024
"""A draft: twice what is ever run, so that a paste may be cut down without being lost."""

DRAFTS = 50
DRAFTS_BYTES = 1024 * 1024
"""Texts of one learner for one exercise; beyond that the one untouched for longest goes."""

LEAST_FREE_BYTES = 500 * 1024 * 1024
"""Below this much free disk nothing new is kept; what was stored is still graded and read."""

EXPORT_BYTES = 16 * 1024 * 1024
"""Code and reports in what a learner takes along, the newest first; older ones are only named."""

CLASSES_OF_STAFF = 500
CLASSES_OF_LEARNER = 200
PEOPLE_OF_CLASS = 5_000
"""Classes that one account teaches or one learner is in, and people of a class; what was archived
or removed counts too."""

SESSIONS = 50
"""Sessions of one account, or of one learner of a campus; one more ends the oldest."""

AUDIT_OF_CLASS = 20_000
"""Lines that are kept of what was done in a class, or outside of all; at night older ones go."""

# ------------------------------------------------------------------ requests

BODY_BYTES = 512 * 1024
"""The longest request body: 64 KiB of source, every byte of it escaped, and room."""

HEAD_BYTES = 32 * 1024
HEAD_FIELDS = 100
HEAD_S = 10.0
BODY_S = 60.0
"""The head of a request, and how long head and body may take to come."""

IDLE_S = 120
"""How long a connection stays open between two requests: longer than a learner thinks."""

CONNECTIONS = 8_192
ADDRESS_CONNECTIONS = 1_500
"""Open at once, in all and from one address; a class of 300 has some five each at the very most."""

UNSENT_BYTES = 128 * 1024 * 1024
"""Of answers that are not taken off their connections, together; then the oldest is dropped."""

FORM_FIELDS = 100
FORM_DIGITS = 5
"""Fields of a form, and digits of a number in one."""

# ------------------------------------------------------------------ pages

PAGE_DRAFTS_BYTES = 256 * 1024
"""Texts that a page carries beside the one that is open, as JSON; older ones are left out."""

DIFF_CHARACTERS = 64 * 1024
DIFF_LINES = 4_000
"""Of two sources that are compared, what comes later is not looked at."""

DIFF_SHOWN_LINES = 2_000
"""Lines that a comparison shows."""

MARKDOWN_CHARACTERS = 16 * 1024
FORMULA_CHARACTERS = 1_000
FORMULA_DEPTH = 50
"""A text of an author, and one formula in it: `mlgrind check` complains of what is longer."""

TOML_BYTES = 128 * 1024
TOML_DOTS = 200
"""An author's settings, and dots in a line of them: reading a key takes the square of its dots."""

FOLDER_CPU_S = 90.0
"""All of an author's files together, run once for what is expected of learners: three times as many
seconds on the clock."""

PROOF_CPU_S = 300.0
TRIPLES_CPU_S = 1_200.0
"""A proof of a folder besides, four times as many where every pair of mistakes is proved; and what
three mistakes at once give, in moments when no job waits."""

DRAWS_CPU_S = 10.0
"""All draws of an exercise, and the reference on all of them."""

MISTAKES = 200
CASES_BYTES = 8 * 1024 * 1024
MISTAKES_BYTES = 128 * 1024 * 1024
"""Mistakes of an exercise (any two of them are put together), the arguments and outputs of all its
cases (its stages as much again), and what all mistakes give on them."""

FORMULAS = 400
MATHML_CHARACTERS = 1_000_000
"""Formulas of one text that are set, and the MathML of all of them; later ones stay as written."""

FORMULA_S = 1.0
FORMULAS_S = 2.0
FORMULA_BYTES = 128 * 1024 * 1024
"""CPU and memory for one formula and for all of a text, in the jail: a macro takes little room and
may take much time."""

COLOURED_CHARACTERS = 64 * 1024
COLOURED_MARKS = 20_000
"""Source code is coloured as far as this; the rest stands there in one colour."""

REMEMBERED_CHARACTERS = 8_000_000
"""HTML that is kept, so that it is not made again: of sources, and as much of authors' texts."""
