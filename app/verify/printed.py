"""What two texts print, compared as what they mean: numbers by value, arrays and lists by shape.

`[2. 3.]`, `[2.0, 3.0]` and `array([2., 3.])` are one value; so are 0.3333 and 0.33333333, as far as
the shorter one goes. Any other word has to be the same.
"""

from __future__ import annotations

import math
import re
from itertools import zip_longest

_WRAPPER = re.compile(r"array|asarray|tuple|list|(?:float|int|uint|complex|bool)(?:\d+|_)?")
_MODULE = re.compile(r"\b(?:np|numpy)\.(?=\w)")
_DTYPE = re.compile(r",\s*dtype=[\w.'<>]+")
_PIECE = re.compile(
    r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?j?|[\[\](){}]|[^\W\d]\w*|[^\s\w,\[\](){}]"
)
_NUMBER = re.compile(r"[+-]?(?:\d|\.\d)")
_SPELLED = {"(": "[", ")": "]", "Infinity": "inf", "NaN": "nan"}
DIGITS = 300
"""Characters of one number that are read; a longer one is a word."""


def agree(one: str, other: str) -> bool:
    """Whether two printed texts say the same."""
    if one.split() == other.split():
        return True
    pairs = list(zip_longest(_bare(_pieces(one)), _bare(_pieces(other))))
    return bool(pairs) and all(a is not None and b is not None and _equal(a, b) for a, b in pairs)


def _pieces(text: str) -> list[str]:
    """Numbers, words, signs and brackets; `array(…)` and `np.float64(…)` are what is in them."""
    found: list[str] = []
    open_now: list[bool] = []
    for piece in _PIECE.findall(_MODULE.sub("", _DTYPE.sub("", text))):
        if piece == "(":
            wraps = bool(found) and _WRAPPER.fullmatch(found[-1]) is not None
            open_now.append(wraps)
            if wraps:
                found.pop()
                continue
        if piece == ")" and open_now and open_now.pop():
            continue
        found.append(_SPELLED.get(piece, piece))
    return found


def _bare(pieces: list[str]) -> list[str]:
    """One value without the brackets around it: [2.] says what 2.0 says."""
    inner = [piece for piece in pieces if piece not in ("[", "]")]
    return inner if len(inner) == 1 else pieces


def _equal(one: str, other: str) -> bool:
    if one == other:
        return True
    numbers = [_number(text) for text in (one, other)]
    if None in numbers:
        return False
    first, second = numbers
    assert first is not None and second is not None  # noqa: S101 (looked at above)
    room = max(_unit(one), _unit(other)) * 0.51
    return abs(first - second) <= max(room, 1e-9 * abs(first)) or first == second


def _number(text: str) -> complex | None:
    if not _NUMBER.match(text) or len(text) > DIGITS:
        return None
    found = complex(text) if text.endswith("j") else complex(float(text))
    return found if math.isfinite(abs(found)) else None


def _unit(text: str) -> float:
    """One in the last decimal that is printed; 0 for a whole number, which is exact."""
    digits, _, power = text.rstrip("j").lower().partition("e")
    decimals = len(digits.partition(".")[2])
    exponent = int(power) if power else 0
    if not decimals and not power:
        return 0.0
    return float(10.0 ** max(-300, min(300, exponent - decimals)))
