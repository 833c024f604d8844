"""Where the entry point's definition went: it stands in the source, and no call finds it.

Read from the source's lines, without parsing: it is foreign text.
"""

from __future__ import annotations

import re

_DECORATOR = re.compile(r"@\w[\w.]*")


def lost_function(name: str, source: bytes) -> tuple[str, str] | None:
    """What happened to a function that is defined and not found, and what to do.

    None where no line defines it.
    """
    lines = source.decode("utf-8", "replace").splitlines()
    word = re.escape(name)
    defined = [n for n, line in enumerate(lines) if re.match(rf"\s*def\s+{word}\s*\(", line)]
    if not defined:
        return None
    at_margin = [n for n in defined if lines[n].startswith("def")]
    if not at_margin:
        return (
            f"`{name}` on line {defined[0] + 1} is inside something else.",
            "Move it to the left margin: the tests call it from outside.",
        )
    other = re.compile(rf"{word}\s*(:[^=]+)?=(?!=)|del\s+{word}\b|(class|import)\s+{word}\b")
    for number in range(at_margin[-1] + 1, len(lines)):
        if other.match(lines[number]):
            return (
                f"Line {number + 1} gives the name `{name}` to something else.",
                "That hides the function: give the result another name.",
            )
    above = lines[at_margin[-1] - 1].strip() if at_margin[-1] else ""
    if _DECORATOR.match(above):
        return (
            f"The decorator on line {at_margin[-1]} returns no function.",
            "End it with `return wrapper`, or leave the decorator out.",
        )
    return None
