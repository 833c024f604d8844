"""What the use cases of a class say no with; each text is a sentence for the one who asked."""

from __future__ import annotations

from collections.abc import Mapping

ENDED = "This regrade was applied or dropped before."


class NotThere(LookupError):
    """No such class, person or assignment, or not for the one who asked: the two look the same."""


class NoSuchCode(NotThere):
    """A join or seat code that opens nothing: wrong, used, too old, or of an archived class."""


class Conflict(Exception):
    """It can't be done as things stand; nothing was changed."""


class DoneBefore(Conflict):
    """It was done a moment ago, as by a second press of its button; nothing was changed."""


class Complaints(Exception):
    """What is off with a form, by field; nothing was changed."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        """Keep the sentences, all at once."""
        super().__init__("; ".join(fields.values()))
        self.fields = dict(fields)


class WrongPassword(Exception):
    """Login and password do not go together; which of them is off is not said."""


class TooOften(Exception):
    """Asked too often; `retry_after` is in whole seconds."""

    def __init__(self, retry_after: int) -> None:
        """Keep the seconds."""
        super().__init__("Too many tries. Wait a moment.")
        self.retry_after = retry_after
