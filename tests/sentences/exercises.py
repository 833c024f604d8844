"""The sentences of an exercise: statement, hints, tests, questions and mistakes."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.sentences.programs import docstrings

_LINES_OF_MISTAKES = re.compile(r"^(Hint|Same as): .*$\n?", re.MULTILINE)


def lines(folder: Path) -> Iterator[str]:
    """The Markdown of an exercise's part, from its title on."""
    settings = tomllib.loads((folder / "exercise.toml").read_text())
    yield f"### {settings['title']}"
    yield settings.get("summary", "")
    yield "#### Statement"
    yield _demoted((folder / "statement.md").read_text())
    yield "#### Tests and examples"
    yield from _bullets(first for _, text in _docstrings(folder / "cases.py") for first in [text])
    yield from _bullets(text for text in _texts(settings, "example"))
    yield "#### Hints"
    yield _demoted((folder / "hints.md").read_text())
    yield from _questions(settings)
    yield "#### Mistakes"
    for path in sorted((folder / "mistakes").glob("*.py")):
        yield from _bullets(_mistake(text) for _, text in _docstrings(path))


def _docstrings(path: Path) -> Iterator[tuple[str, str]]:
    return docstrings(path)


def _questions(settings: dict[str, Any]) -> Iterator[str]:
    questions = settings.get("follow_up", [])
    if questions:
        yield "#### Questions"
    for each in questions:
        told = (each["question"], each.get("answer", ""), each.get("explanation", ""))
        yield f"- {_flat(' — '.join(filter(None, told)))}"


def _texts(settings: dict[str, Any], table: str) -> Iterator[str]:
    for each in settings.get(table, []):
        yield each.get("text", "")


def _mistake(text: str) -> str:
    """ "Title" and what is told, on one line."""
    title, _, told = _LINES_OF_MISTAKES.sub("", text).partition("\n")
    return f"**{title.strip()}** {told}"


def _bullets(texts: Iterator[str]) -> Iterator[str]:
    listed = [f"- {_flat(text)}" for text in texts if text.strip()]
    if listed:
        yield "\n".join(listed)


def _demoted(markdown: str) -> str:
    return re.sub(r"^##? ", "##### ", markdown, flags=re.MULTILINE).strip()


def _flat(text: str) -> str:
    return " ".join(text.split())
