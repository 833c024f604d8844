"""Texts that people type, tidied before they are kept."""

from __future__ import annotations

import unicodedata

INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn")


def tidy(text: str, longest: int) -> str | None:
    """One line of visible text; None where it holds invisible characters or is too long."""
    plain = unicodedata.normalize("NFC", " ".join(text.split()))
    if any(unicodedata.category(letter) in INVISIBLE for letter in plain):
        return None
    return plain if len(plain) <= longest else None


def visible(text: str, longest: int) -> str:
    """The same, of any text: invisible characters are taken out and what is too long is cut."""
    plain = unicodedata.normalize("NFC", " ".join(text.split()))
    seen = "".join(letter for letter in plain if unicodedata.category(letter) not in INVISIBLE)
    return seen[:longest]


def note(text: str, longest: int = 500) -> str:
    """A note of some lines: invisible characters are taken out, line ends stay."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(visible(line, longest) for line in lines).strip()[:longest]
