"""Small words for reports: numbers, counts and lists as a page prints them, and safe text.

Whatever came out of the jail goes through `shown` before it is put in a sentence.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

MESSAGE_CHARACTERS = 400
AXES = 5
_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_DTYPE = re.compile(r"[<>|=]?\w+(\[\w+\])?")
_UNUSUAL = re.compile(r"[^\n\t -~]+")
_SENTENCE = re.compile(r"(?<=[.?!])\s+(?=[A-Z`(\"'“\d])")


def shown(text: str, limit: int | None = None) -> str:
    """Text from the jail made harmless to read: control and bidi characters become escapes.

    Newlines and tabs stay. Cut at `limit` characters, saying so with an ellipsis.
    """
    cut = text if limit is None or len(text) <= limit else text[:limit] + " …"
    return _UNUSUAL.sub(_spelled, cut)


def class_name(name: str) -> str:
    """The name of a class from the jail, or "object" for one that spells anything but a name.

    A class can be given any text for a name, values of a hidden test among them.
    """
    parts = name[:80].split(".")
    return ".".join(parts) if all(part.isidentifier() for part in parts) else "object"


def dtype_name(dtype: str) -> str:
    """The name of a dtype; a structured one, whose fields have any text for names, by that word."""
    return dtype if _DTYPE.fullmatch(dtype) else "structured"


def _spelled(run: re.Match[str]) -> str:
    return "".join(map(_harmless, run[0]))


@lru_cache(maxsize=4_096)
def _harmless(character: str) -> str:
    if unicodedata.category(character) not in _INVISIBLE:
        return character
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def count(number: int, noun: str, plural: str | None = None) -> str:
    """ "1 value", "12 values"; `plural` where an s is not enough."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def small(number: int) -> str:
    """A number in letters up to ten, as it reads in a sentence."""
    return _SMALL[number] if 0 <= number < len(_SMALL) else f"{number:,}"


def listed(items: Sequence[str], last: str = "and") -> str:
    """ "a", "a and b", "a, b and c"."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def counted(indices: Sequence[int], noun: str, limit: int = 6) -> str:
    """ "row 2", "rows 1 and 3", "rows 1 to 4", or "9 rows" where the list would be long."""
    if len(indices) == 1:
        return f"{noun} {indices[0]}"
    run = list(range(indices[0], indices[-1] + 1))
    if len(indices) > 2 and list(indices) == run:
        return f"{noun}s {indices[0]} to {indices[-1]}"
    if len(indices) > limit:
        return f"{len(indices)} {noun}s"
    return f"{noun}s {listed([str(i) for i in indices])}"


def figure(value: float, digits: int = 4) -> str:
    """A number with `digits` significant digits: "0.03", "1.502", "4e+20", "nan"."""
    return f"{value:.{digits}g}"


def shape(sizes: Sequence[int]) -> str:
    """A shape as Python writes it: "(7, 15)", "(7,)", "()"; one of many axes is cut."""
    if len(sizes) > AXES:
        return f"({', '.join(map(str, sizes[:AXES]))}, … {len(sizes)} axes)"
    return f"({', '.join(map(str, sizes))}{',' if len(sizes) == 1 else ''})"


def seconds(value: float) -> str:
    """ "2 s", "0.5 s"."""
    return f"{value:g} s"


def size(n_bytes: int) -> str:
    """ "512 MiB", "64 KiB", "100 bytes"."""
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if n_bytes >= unit:
            return f"{n_bytes / unit:.3g} {name}"
    return count(n_bytes, "byte")


def headline(message: str) -> tuple[str, str]:
    """A message cut after its first sentence: that sentence, and the rest ("" where none)."""
    parts = _SENTENCE.split(message.strip(), maxsplit=1)
    return parts[0], parts[1] if len(parts) > 1 else ""
