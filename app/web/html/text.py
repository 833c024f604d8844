"""Text that came from a learner, an author or the jail, made safe to look at and to send on.

Nothing invisible may pass as something else: control characters, bidi overrides and lone
surrogates are shown as the escapes Python would write (Trojan Source, CVE-2021-42574).
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from markupsafe import Markup, escape

from app.grading.sentences.phrases import shown

_TICKS = re.compile(r"`([^`\n]+)`")
_PLAIN = re.compile(r"[\x20-\x7e\n\t]*")
_UNPRINTABLE = re.compile("[\x00\ud800-\udfff]")
_LONE = re.compile("[\ud800-\udfff]")


VERDICT_WORDS = {
    "not_run": "not run",
    "not_shown": "not shown yet",
    "runtime_error": "stopped",
    "time_limit": "took too long",
    "memory_limit": "too much memory",
    "output_limit": "printed too much",
    "sandbox_killed": "was stopped",
    "policy_error": "not run",
    "syntax_error": "not run",
    "grader_error": "not judged",
}
"""What came of a test or a submission that is neither right nor wrong, in a table or a list."""

_JUDGED = {"accepted": "all passed", "wrong_answer": "wrong values"}


def finalize(value: object) -> object:
    """What Jinja does with every expression: plain strings are made visible, markup is left."""
    if type(value) is not str or _PLAIN.fullmatch(value):
        return value
    return shown(value)


def unaltered(text: str) -> Markup:
    """The text escaped for HTML and otherwise as it is: for a field, whose value goes back.

    NUL and lone surrogates cannot stand in a document: they become U+FFFD.
    """
    return escape(_UNPRINTABLE.sub("\ufffd", text))


def verbatim(text: str) -> Markup:
    """The same for a textarea: HTML drops a line feed right after the tag, so one goes before."""
    return Markup("\n") + unaltered(text)


def outcome(verdict: str) -> str:
    """What came of a whole submission, in two or three words.

    >>> outcome("accepted"), outcome("time_limit")
    ('all passed', 'took too long')
    """
    return (VERDICT_WORDS | _JUDGED).get(verdict, verdict)


def ticks(text: str) -> Markup:
    """A short sentence with its `ticks` as `<code>`; nothing else of Markdown means anything."""
    parts = _TICKS.split(shown(text))
    code = Markup("<code>{}</code>").format
    return Markup("").join(code(part) if i % 2 else escape(part) for i, part in enumerate(parts))


def as_text(source: bytes) -> str:
    """A source as text: bytes that are no UTF-8 become U+FFFD, surrogates of a form stay lone."""
    try:
        return source.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return source.decode("utf-8", "replace")


def as_source(text: str) -> bytes:
    """A text of a JSON body as the bytes of a source; lone surrogates pass and are judged."""
    return text.encode("utf-8", "surrogatepass")


def whole_letters(text: str) -> str:
    """The text with the replacement character for each lone surrogate, which no file can hold."""
    return _LONE.sub("\ufffd", text)


def unix_lines(source: bytes) -> bytes:
    """A form's text without the carriage returns that browsers put into every line end."""
    return source.replace(b"\r\n", b"\n")


def clock(at: datetime) -> str:
    """ "14:21", UTC."""
    return f"{at.astimezone(UTC):%H:%M}"


def day(at: datetime) -> str:
    """ "29 Nov 2026"."""
    at = at.astimezone(UTC)
    return f"{at.day} {at:%b %Y}"


def moment(at: datetime) -> Markup:
    """ "29 Nov, 14:21 UTC" as a `<time>`, for a script to put into the reader's own zone."""
    at = at.astimezone(UTC)
    shown_as = f"{at.day} {at:%b, %H:%M} UTC"
    return Markup('<time datetime="{}">{}</time>').format(at.isoformat("T", "seconds"), shown_as)


def lasting(time: timedelta) -> str:
    """ "40 s", "12 min", "2 h 5 min", "3 days"."""
    minutes = round(time.total_seconds() / 60)
    if minutes < 1:
        return f"{max(1, round(time.total_seconds()))} s"
    if minutes < 60:
        return f"{minutes} min"
    if minutes < 48 * 60:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{round(minutes / 60 / 24)} days"


def milliseconds(value: float) -> str:
    """0.08 ms, 9 ms, 1.2 s."""
    if value >= 1000:
        return f"{value / 1000:.1f} s"
    return f"{value:.0f} ms" if value >= 10 else f"{value:.2g} ms"
