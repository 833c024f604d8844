"""docs/words.md is kept: one name for one thing, and no word that it gives up."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "words.md").read_text()
GLOSSARY, MODULES, CLASSES = (part for part in re.split(r"^## .+$", TEXT, flags=re.MULTILINE))
FILES = [path for path in sorted((ROOT / "app").rglob("*.py")) if not path.stem.startswith("__")]
NOWHERE = "(nowhere)"
PROSE = [
    path
    for pattern in (
        "*.md",
        "docs/**/*.md",
        "app/**/*.py",
        "templates/**/*.html",
        "static/src/**/*.ts",
    )
    for path in sorted(ROOT.glob(pattern))
    if path.name != "words.md"
]
PARTS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")


def listed(section: str) -> set[str]:
    """The names in code spans of a section."""
    return set(re.findall(r"`(\w+)`", section))


def column() -> list[str]:
    """The entries of the column "not", each a word with or without its mark."""
    rows = re.findall(r"^\|([^|]+)\|([^|]+)\|([^|]*)\|$", GLOSSARY, re.MULTILINE)
    entries = [entry.strip() for _, _, entries in rows for entry in entries.split(",")]
    return [entry for entry in entries if entry and entry != "not" and "-" not in entry]


def given_up() -> set[str]:
    """The words of the column "not": in no name."""
    return {entry.removesuffix(NOWHERE).strip() for entry in column()}


def nowhere() -> set[str]:
    """Those of them that are in no prose either."""
    return {entry.removesuffix(NOWHERE).strip() for entry in column() if entry.endswith(NOWHERE)}


def room(path: Path) -> str:
    return path.relative_to(ROOT / "app").parts[0].removesuffix(".py")


def classes() -> dict[str, set[Path]]:
    found = defaultdict(set)
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                found[node.name].add(path)
    return found


def names() -> Iterator[tuple[str, str]]:
    """Where a name stands, and the name: of modules, classes, functions and templates."""
    for path in FILES:
        where = path.relative_to(ROOT).as_posix()
        yield where, path.stem
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield where, node.name
    for path in (ROOT / "templates").rglob("*.html"):
        yield path.relative_to(ROOT).as_posix(), path.stem


def docstrings(tree: ast.AST) -> Iterator[str]:
    """Of a module all of them, those after constants too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


def test_no_module_has_the_name_of_another_rooms_but_those_listed() -> None:
    found = defaultdict(set)
    for path in FILES:
        found[path.stem].add(room(path))
    assert {stem for stem, rooms in found.items() if len(rooms) > 1} <= listed(MODULES)


def test_no_class_has_anothers_name_but_those_listed() -> None:
    found = {name for name, files in classes().items() if len(files) > 1 and name[0] != "_"}
    assert found <= listed(CLASSES)


def test_what_is_listed_is_needed() -> None:
    assert listed(MODULES) <= {path.stem for path in FILES}
    assert listed(CLASSES) <= classes().keys()


def test_no_name_holds_a_word_that_was_given_up() -> None:
    assert len(given_up()) >= 8
    found = [
        f"{where}: {name}"
        for where, name in names()
        if given_up() & {part.lower() for part in PARTS.findall(name)}
    ]
    assert found == []


def test_no_prose_holds_a_word_that_is_marked_nowhere() -> None:
    assert len(nowhere()) >= 4
    word = re.compile(rf"\b({'|'.join(nowhere())})s?\b", re.IGNORECASE)
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in PROSE
        for line in path.read_text().splitlines()
        if word.search(line)
    ]
    assert found == []


def test_docstrings_say_who_is_meant() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {text}"
        for folder in ("app", "bench")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if "programs" not in path.parts
        for text in docstrings(ast.parse(path.read_text()))
        if re.search(r"\b(whoever|nobody)\b", text, re.IGNORECASE)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("name", "parts"),
    [("HTTPServer", ["HTTP", "Server"]), ("with_trace", ["with", "trace"]), ("Shop", ["Shop"])],
)
def test_a_name_is_read_word_by_word(name: str, parts: list[str]) -> None:
    assert PARTS.findall(name) == parts
