"""What changed between two sources of one learner, line by line, as data for the templates."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher

CONTEXT = 3
_LINES = 4_000


@dataclass(frozen=True)
class Line:
    """One line: "same", "del" or "add", its number in the text it is from, and its words."""

    kind: str
    number: int
    text: str


@dataclass(frozen=True)
class Change:
    """The changed places, each with a little around it; `before` and `after` name the tries."""

    before: int
    after: int
    hunks: tuple[tuple[Line, ...], ...]

    @property
    def same(self) -> bool:
        """Whether nothing changed at all."""
        return not self.hunks


def changes(old: str, new: str, before: int, after: int) -> Change:
    """The difference of two texts; lines past 4,000 are not looked at."""
    a, b = old.split("\n")[:_LINES], new.split("\n")[:_LINES]
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    hunks = []
    for group in matcher.get_grouped_opcodes(CONTEXT):
        lines: list[Line] = []
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                lines += [Line("same", j + 1, b[j]) for j in range(j1, j2)]
                continue
            lines += [Line("del", i + 1, a[i]) for i in range(i1, i2)]
            lines += [Line("add", j + 1, b[j]) for j in range(j1, j2)]
        hunks.append(tuple(lines))
    return Change(before, after, tuple(hunks))
