"""A problem folder as public banks lay it out: description, starter, solution, printed tests.

Only read here: nothing of it is run, parsed as Python or followed out of its folder.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from app.catalog import folder as folders

NEEDED = ("description.md", "starter_code.py", "solution.py", "tests.json")
_NUMBERED = re.compile(r"^\d+[_-]+")
_OTHER = re.compile(r"[^a-z0-9]+")


class NotABank(Exception):
    """The folder is not one we can import; the text names every reason."""


@dataclass(frozen=True)
class PrintedTest:
    """Code that prints, and the text it should print."""

    code: str
    expected: str


@dataclass(frozen=True)
class BankProblem:
    """What a folder of a bank says, as texts; `example` has input, output and reasoning."""

    slug: str
    title: str
    difficulty: str
    description: str
    learn: str
    starter: bytes
    solution: bytes
    tests: tuple[PrintedTest, ...]
    example: dict[str, str]


def read(folder: Path) -> BankProblem:
    """The problem in a folder. Raises NotABank with all that is in the way, and OSError."""
    if ".." in folder.parts:
        raise NotABank(f"{folder} goes up with `..`. Name the folder itself.")
    if folder.is_symlink():
        raise NotABank(f"{folder} is a link. Name the folder itself.")
    files, errors = folders.regular_files(folder)
    reasons = [f"{error.file}: {error.message}" for error in errors]
    reasons += [f"{name}: is missing. It is needed." for name in NEEDED if name not in files]
    if reasons:
        raise NotABank("\n".join(reasons))
    meta = _object(files, "meta.json") if "meta.json" in files else {}
    example = _object(files, "example.json") if "example.json" in files else {}
    name = _NUMBERED.sub("", folder.resolve().name)
    return BankProblem(
        slug=_OTHER.sub("-", name.lower()).strip("-"),
        title=_text(meta, "title"),
        difficulty=_text(meta, "difficulty").lower(),
        description=_decoded(files, "description.md"),
        learn=_decoded(files, "learn.md") if "learn.md" in files else "",
        starter=files["starter_code.py"],
        solution=files["solution.py"],
        tests=_tests(files),
        example={key: _text(example, key) for key in ("input", "output", "reasoning")},
    )


def _tests(files: dict[str, bytes]) -> tuple[PrintedTest, ...]:
    found = _json(files, "tests.json")
    if not isinstance(found, list) or not all(isinstance(test, dict) for test in found):
        raise NotABank("tests.json: is not a list of objects with `test` and `expected_output`.")
    tests = tuple(PrintedTest(_text(t, "test"), _expected(t)) for t in found)
    if not tests or not all(test.code for test in tests):
        raise NotABank("tests.json: has no test, or one without the code of `test`.")
    return tests


def _expected(test: dict[str, object]) -> str:
    """What a test should print; a number, list or truth value of JSON as Python prints it."""
    value = test.get("expected_output", "")
    return value.strip() if isinstance(value, str) else str(value)


def _object(files: dict[str, bytes], name: str) -> dict[str, object]:
    found = _json(files, name)
    if not isinstance(found, dict):
        raise NotABank(f"{name}: is not a JSON object.")
    return found


def _json(files: dict[str, bytes], name: str) -> object:
    try:
        return json.loads(_decoded(files, name))
    except (ValueError, RecursionError) as error:
        raise NotABank(f"{name}: is not JSON: {error}.") from error


def _text(found: dict[str, object], key: str) -> str:
    value = found.get(key, "")
    return value.strip() if isinstance(value, str) else ""


def _decoded(files: dict[str, bytes], name: str) -> str:
    try:
        return files[name].decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise NotABank(f"{name}: is not UTF-8 (byte {error.start}).") from error
