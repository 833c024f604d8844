"""Which lines two texts have in common, in time that grows with their length and no faster.

First what both begin and end with; then lines that stand once in each, in the longest order they
share (patience diff); then what lies between these, by the shortest edit (Myers, 1986) for as long
as a budget of steps lasts. What is left after that counts as changed: true, only longer to read.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

Pair = tuple[int, int]
"""Positions of one line in both texts."""

STEPS = 200_000
"""Steps of the shortest edit, for all places of one comparison: about a tenth of a second."""


def matching(old: Sequence[str], new: Sequence[str], steps: int = STEPS) -> list[Pair]:
    """The lines that stay, in order, as positions in `old` and `new`."""
    numbers = {line: n for n, line in enumerate(dict.fromkeys((*old, *new)))}
    a, b = [numbers[line] for line in old], [numbers[line] for line in new]
    return _Matching(a, b, steps).all()


class _Matching:
    """One comparison: two texts as numbers, and the steps that are left."""

    def __init__(self, a: list[int], b: list[int], steps: int) -> None:
        self._a, self._b, self._left = a, b, steps

    def all(self) -> list[Pair]:
        edges = [(-1, -1), *self._once(), (len(self._a), len(self._b))]
        found: list[Pair] = []
        for (i1, j1), (i2, j2) in pairwise(edges):
            found += self._between(i1 + 1, i2, j1 + 1, j2)
            found.append((i2, j2))
        return found[:-1]

    def _once(self) -> list[Pair]:
        """Lines that stand once in each text, as many as keep their order."""
        in_a, in_b = Counter(self._a), Counter(self._b)
        at = {line: j for j, line in enumerate(self._b) if in_b[line] == 1}
        pairs = [(i, at[n]) for i, n in enumerate(self._a) if in_a[n] == 1 and n in at]
        return _rising(pairs)

    def _between(self, i1: int, i2: int, j1: int, j2: int) -> list[Pair]:
        """The matches of one gap: its edges, and the shortest edit between them."""
        head: list[Pair] = []
        while i1 < i2 and j1 < j2 and self._a[i1] == self._b[j1]:
            head.append((i1, j1))
            i1, j1 = i1 + 1, j1 + 1
        tail: list[Pair] = []
        while i1 < i2 and j1 < j2 and self._a[i2 - 1] == self._b[j2 - 1]:
            i2, j2 = i2 - 1, j2 - 1
            tail.append((i2, j2))
        inner: list[Pair] = []
        if i1 < i2 and j1 < j2:
            inner = [(i1 + i, j1 + j) for i, j in self._shortest(self._a[i1:i2], self._b[j1:j2])]
        return [*head, *inner, *reversed(tail)]

    def _shortest(self, a: list[int], b: list[int]) -> list[Pair]:
        """The matches of the shortest edit, or none where it takes more steps than are left."""
        reached: list[dict[int, int]] = []
        ends = {1: 0}
        for edits in range(len(a) + len(b) + 1):
            reached.append(ends)
            ends = dict(ends)
            for k in range(-edits, edits + 1, 2):
                down = k == -edits or (k != edits and ends[k - 1] < ends[k + 1])
                i = ends[k + 1] if down else ends[k - 1] + 1
                start = i
                while i < len(a) and 0 <= i - k < len(b) and a[i] == b[i - k]:
                    i += 1
                ends[k] = i
                self._left -= 2 + i - start
                if i >= len(a) and i - k >= len(b):
                    return list(reversed(list(_back(reached, len(a), len(b)))))
                if self._left < 0:
                    return []
        return []


def _back(reached: list[dict[int, int]], i: int, j: int) -> Iterator[Pair]:
    """The matches of an edit from its end to its start."""
    for edits in range(len(reached) - 1, -1, -1):
        ends, k = reached[edits], i - j
        down = k == -edits or (k != edits and ends[k - 1] < ends[k + 1])
        before = k + 1 if down else k - 1
        i_before = ends[before]
        j_before = i_before - before
        while i > i_before and j > j_before and i > 0 and j > 0:
            i, j = i - 1, j - 1
            yield i, j
        i, j = i_before, j_before


def _rising(pairs: list[Pair]) -> list[Pair]:
    """The longest of their subsequences whose second positions rise too."""
    tops: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for n, (_, j) in enumerate(pairs):
        pile = bisect_left(tops, j)
        before.append(last[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(j)
            last.append(n)
        else:
            tops[pile], last[pile] = j, n
    found: list[Pair] = []
    n = last[-1] if last else -1
    while n >= 0:
        found.append(pairs[n])
        n = before[n]
    return found[::-1]
