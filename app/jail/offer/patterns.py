"""Class patterns, `case Point(x, y=0)`: which attributes they may read is decided as they run.

Python reads the attributes of a class pattern by itself, by the names in the class's
`__match_args__` and in the pattern. So a pattern that has any is run against a class made here,
which says yes only to what the class itself says yes to, and only once every name it is about to
read was put to the guard.

    case C(a, b=0):    →    case _ if not ((@1 := _pattern_(C, 1, ("b",))),): pass
                            case @1(a, b=0):

Which class stands behind the name is looked up once, so nothing can put another there in between.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from app.jail.offer.attribute_names import refuse
from app.jail.offer.frozen import sentence
from app.jail.offer.own import Own
from app.jail.offer.refusals import PATTERN_OF_OTHERS, Unavailable

_Read = Callable[[Any, str], Any]
_MADE_SAFE = frozenset(["obj", "view", "fields", "metadata", "format", "format_map"])
"""Names whose value the guard replaces: a pattern would read the real one."""


class Held:
    """A value under a name that a pattern can spell: `case @1.it:`."""

    __slots__ = ("it",)

    def __init__(self, value: object) -> None:
        self.it = value


class _Guarded(type):
    """The class of the classes that patterns are run against.

    What each asks is kept apart, and nothing of it can be set: a class body keeps the names that
    its patterns were looked up under, so a program may come by one of these.
    """

    def __instancecheck__(cls, instance: object) -> bool:
        return _ASKED[cls](instance)

    def __setattr__(cls, name: str, value: object) -> NoReturn:
        raise Unavailable("This class can't be changed here.")

    def __delattr__(cls, name: str) -> NoReturn:
        raise Unavailable("This class can't be changed here.")


_ASKED: dict[type, Callable[[Any], bool]] = {}


class Patterns:
    """Gives the class to run a pattern against; `read` is the guard of attributes."""

    def __init__(self, own: Own, read: _Read) -> None:
        self._own, self._read = own, read
        self._made: dict[tuple[type, int, tuple[str, ...]], type] = {}

    def of(self, cls: Any, count: int, names: tuple[str, ...]) -> Any:
        """The class for `cls(…)` with `count` patterns by position and those of `names`.

        Raises Unavailable where `cls` is not the learner's and lists attributes by position.
        """
        if not isinstance(cls, type):
            return cls  # Python says itself that this is no class
        key = (cls, count, names)
        if key not in self._made:
            self._made[key] = self._make(*key)
        return self._made[key]

    def _make(self, cls: type, count: int, names: tuple[str, ...]) -> type:
        listed = _listed(cls) if count else None
        if listed is not None:
            owner, arguments = listed
            if owner not in self._own:
                raise Unavailable(sentence(PATTERN_OF_OTHERS))
            if type(arguments) is tuple and all(type(name) is str for name in arguments):
                names = (*names, *arguments[:count])
        if not names:
            return cls  # it matches itself, or Python says that it takes none by position
        body = {} if listed is None else {"__match_args__": listed[1]}
        made = _Guarded(cls.__name__, (), body)
        _ASKED[made] = lambda instance: self._matches(cls, names, instance)
        return made

    def _matches(self, cls: type, names: tuple[str, ...], instance: Any) -> bool:
        if not isinstance(instance, cls):
            return False
        kind = type(instance)
        if cls in self._own and cls not in kind.__mro__ and kind.__module__ != self._own.module:
            return False  # a foreign object that a protocol takes in is no object of the class
        if not self._own.is_plain(kind):
            for name in names:
                self._check(instance, name)
        return True

    def _check(self, instance: Any, name: str) -> None:
        if name in _MADE_SAFE and not self._own.gave(instance, name):
            refuse(name, instance)
        try:
            self._read(instance, name)
        except Unavailable:
            raise
        except AttributeError:
            return  # it is not there: the pattern does not match


def _listed(cls: type) -> tuple[type, Any] | None:
    """The class that lists attributes for patterns by position, and its list."""
    for base in cls.__mro__:
        if "__match_args__" in vars(base):
            return base, vars(base)["__match_args__"]
    return None
