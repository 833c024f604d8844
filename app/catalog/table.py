"""Reads a TOML table key by key, collecting a complaint for each key that is off.

A reader never raises: it gives a harmless value and remembers what to say, so that an author sees
everything at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.catalog import formulas
from app.catalog.errors import ExerciseError

FILE = "exercise.toml"


class Table:
    """One table of exercise.toml; `path` names it in complaints ("tolerance", "example[2]")."""

    def __init__(
        self, entries: Mapping[str, object], errors: list[ExerciseError], path: str = ""
    ) -> None:
        self.entries, self.errors, self.path = entries, errors, path
        self._read: set[str] = set()

    def complain(self, key: str, message: str) -> None:
        """Remember a complaint about a key of this table."""
        self.errors.append(ExerciseError(FILE, f"{self.path}.{key}" if self.path else key, message))

    def text(self, key: str, default: str | None = None, choices: Sequence[str] = ()) -> str:
        """A string that is not empty; needed where no default is given."""
        value = self._get(key, default)
        if value is None:
            return ""
        if not isinstance(value, str) or (not value.strip() and value != default):
            self.complain(key, "must be a text that is not empty.")
            return default or ""
        if choices and value not in choices:
            self.complain(key, f"is {value!r}; it must be one of {', '.join(choices)}.")
        too_much = formulas.complaint(value)
        if too_much:
            self.complain(key, too_much)
        return value

    def whole(self, key: str, default: int | None = None, least: int = 0) -> int:
        """A whole number of at least `least`."""
        value = self._get(key, default)
        if value is None:
            return least
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            self.complain(key, f"must be a whole number of {least} or more.")
            return least
        return value

    def number(self, key: str, default: float, least: float, most: float) -> float:
        """A number between two bounds, both included."""
        value = self._get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.complain(key, "must be a number.")
            return default
        if not least <= value <= most:
            self.complain(key, f"is {value:g}; it must be between {least:g} and {most:g}.")
            return default
        return float(value)

    def flag(self, key: str, default: bool) -> bool:
        """true or false."""
        value = self._get(key, default)
        if not isinstance(value, bool):
            self.complain(key, "must be true or false.")
            return default
        return value

    def texts(self, key: str, default: Sequence[str] | None = None) -> tuple[str, ...]:
        """A list of strings, none of them twice."""
        value = self._get(key, default)
        if value is None:
            return ()
        if not isinstance(value, list | tuple) or not all(isinstance(v, str) for v in value):
            self.complain(key, 'must be a list of texts, as in ["a", "b"].')
            return ()
        return tuple(value)

    def table(self, key: str) -> Table | None:
        """A table inside this one; None where it is missing."""
        value = self._get(key, {})
        if not isinstance(value, dict):
            self.complain(key, f"must be a table, [{key}].")
            return None
        path = f"{self.path}.{key}" if self.path else key
        return Table(value, self.errors, path) if value else None

    def tables(self, key: str) -> tuple[Table, ...]:
        """A list of tables, [[key]]."""
        value = self._get(key, [])
        if not isinstance(value, list) or not all(isinstance(v, dict) for v in value):
            self.complain(key, f"must be a list of tables, each begun by [[{key}]].")
            return ()
        return tuple(Table(v, self.errors, f"{key}[{n}]") for n, v in enumerate(value, 1))

    def raw(self, key: str) -> object:
        """The value as TOML gives it, None where missing; its reader complains itself."""
        self._read.add(key)
        return self.entries.get(key)

    def done(self) -> None:
        """Complain about keys nobody asked for: most often a misspelled one."""
        for key in self.entries:
            if key not in self._read:
                self.complain(key, "is not a key we know here. Is it misspelled?")

    def _get(self, key: str, default: object) -> object:
        self._read.add(key)
        if key in self.entries:
            return self.entries[key]
        if default is None:
            self.complain(key, "is missing.")
        return default
