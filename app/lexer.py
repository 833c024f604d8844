"""Python source cut into comments, strings, names and numbers, in time that grows with its length.

One look at each character and no way back: no source, however odd, takes longer than its length is
worth. Python itself reads more exactly; what is not closed is a string to its end, as in an editor.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["comment", "string", "name", "number"]

_TOKEN = re.compile(
    r"""
    (?P<comment> \#[^\n]*+ )
    | (?P<string> (?P<prefix> \b[bBfFrRtTuU]{1,2}+ )?+
        (?: \"{3} (?: [^"\\]++ | \\. | "(?!"") )*+ (?:\"{3})?+
          | '{3} (?: [^'\\]++ | \\. | '(?!'') )*+ (?:'{3})?+
          | " (?: [^"\\\n]++ | \\. )*+ "?+
          | ' (?: [^'\\\n]++ | \\. )*+ '?+ ) )
    | (?P<name> [^\W\d]\w*+ )
    | (?P<number> 0[xXoObB]\w++ | (?: \d[\d_]*+ (?:\.[\d_]*+)?+ | \.\d[\d_]*+ )
        (?: [eE][+-]?+\d[\d_]*+ )?+ [jJ]?+ )
    """,
    re.VERBOSE | re.DOTALL,
)
_KINDS: tuple[Kind, ...] = ("comment", "string", "name", "number")


@dataclass(frozen=True)
class Token:
    """A part of a source: where it stands, what it is, and the prefix of a string in small letters.

    Signs and white space are no tokens: they lie between.
    """

    start: int
    end: int
    kind: Kind
    text: str
    prefix: str = ""


def tokens(source: str) -> Iterator[Token]:
    """The tokens of a source in order; never raises, whatever the text is."""
    for found in _TOKEN.finditer(source):
        kind = next(kind for kind in _KINDS if found[kind] is not None)
        yield Token(found.start(), found.end(), kind, found[0], (found["prefix"] or "").lower())
