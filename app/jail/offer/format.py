"""`text.format(…)` whose fields reach attributes through the guard."""

from __future__ import annotations

import _string  # type: ignore[import-not-found] # typeshed leaves it out
import string
from collections.abc import Callable, Mapping
from typing import Any

_Read = Callable[[Any, str], Any]


class Format:
    """The bound method `format` or `format_map` of one text.

    A text that asks for no attribute goes to Python's own method; `read` is asked for each that
    another wants.
    """

    __slots__ = ("_name", "_read", "_text")

    def __init__(self, text: str, name: str, read: _Read) -> None:
        self._text, self._name, self._read = str.__str__(text), name, read

    def __call__(self, *arguments: Any, **keywords: Any) -> str:
        """The formatted text; raises what Python raises, and what `read` raises."""
        if not _reaches_attributes(self._text):
            return str(getattr(self._text, self._name)(*arguments, **keywords))
        if self._name == "format":
            return _Formatter(self._read).vformat(self._text, arguments, keywords)
        if len(arguments) != 1 or keywords:
            raise TypeError(f"str.format_map() takes exactly one argument ({len(arguments)} given)")
        return _Formatter(self._read).vformat(self._text, (), arguments[0])


def _reaches_attributes(text: str) -> bool:
    """Whether a text asks for an attribute, in a field or in a field of its format."""
    for _, field, spec, _ in _string.formatter_parser(text):
        if field is None:
            continue
        if any(is_attribute for is_attribute, _ in _string.formatter_field_name_split(field)[1]):
            return True
        if spec and _reaches_attributes(spec):
            return True
    return False


class _Formatter(string.Formatter):
    def __init__(self, read: _Read) -> None:
        self._read = read

    def get_field(self, field_name: str, args: Any, kwargs: Mapping[str, Any]) -> Any:
        """The value of a field, and the argument it came from."""
        first, rest = _string.formatter_field_name_split(field_name)
        value = self.get_value(first, args, kwargs)
        for is_attribute, key in rest:
            value = self._read(value, key) if is_attribute else value[key]
        return value, first
