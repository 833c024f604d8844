"""Queues in which everybody's turn comes round, and what is remembered of turns."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Container
from dataclasses import dataclass
from typing import Generic, TypeVar

from app.ports import Kind

T = TypeVar("T")


@dataclass(frozen=True)
class Waiting(Generic[T]):
    """One job in line; `item` is whatever the caller needs to run it."""

    turn: str
    kind: Kind
    item: T


class Turns(Generic[T]):
    """First of each turn, then second of each, and so on; not safe for several threads by itself.

    However many items one turn has, any other waits for one of them at a time.
    """

    def __init__(self) -> None:
        self._turns: OrderedDict[str, deque[T]] = OrderedDict()
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def put(self, turn: str, item: T) -> None:
        """Queue behind the turn's own items; a new turn comes after all others."""
        self._turns.setdefault(turn, deque()).append(item)
        self._size += 1

    def pop(self, but: Container[str] = ()) -> T | None:
        """The next item, whose turn then goes to the back; None when nothing waits.

        Turns in `but` keep their places and wait.
        """
        turn = next((turn for turn in self._turns if turn not in but), None)
        if turn is None:
            return None
        items = self._turns.pop(turn)
        item = items.popleft()
        if items:
            self._turns[turn] = items
        self._size -= 1
        return item

    def remove(self, turn: str, item: T) -> bool:
        """Take one item out; false where it does not wait here."""
        items = self._turns.get(turn)
        if items is None or item not in items:
            return False
        items.remove(item)
        if not items:
            del self._turns[turn]
        self._size -= 1
        return True

    def ahead(self, turn: str, item: T) -> int | None:
        """How many items are popped before this one; None where it does not wait here."""
        mine = self._turns.get(turn)
        if mine is None or item not in mine:
            return None
        depth = mine.index(item)
        before, count = True, depth
        for name, items in self._turns.items():
            if name == turn:
                before = False
            else:
                count += min(len(items), depth + 1 if before else depth)
        return count

    def newest(self) -> tuple[str, T] | None:
        """The item that would be popped about last: the last one of the last turn."""
        if not self._turns:
            return None
        turn = next(reversed(self._turns))
        return turn, self._turns[turn][-1]


class RememberedTurns:
    """Turns of which something is known, for as long as no `most` newer ones are."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._turns: OrderedDict[str, None] = OrderedDict()

    def __contains__(self, turn: str) -> bool:
        return turn in self._turns

    def note(self, turn: str, *, known: bool) -> None:
        """It is so of this turn from now on, or no longer."""
        if not known:
            self._turns.pop(turn, None)
            return
        self._turns[turn] = None
        self._turns.move_to_end(turn)
        if len(self._turns) > self._most:
            self._turns.popitem(last=False)
