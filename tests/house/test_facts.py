"""Rooms hand each other facts; a sentence is made for people, and no program reads it again."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from app.grading.sentences.ending import _BRIEF
from app.model import Cause, Ended, Verdict
from app.sandbox.plausible import CAUSES
from app.web.html.text import VERDICT_WORDS, outcome

ROOT = Path(__file__).parents[2]

SENTENCES = frozenset(["detail", "evidence", "headline", "help", "instead", "message", "note"])
"""Names of fields that hold words for people."""

ASKS = frozenset(["count", "endswith", "find", "index", "partition", "split", "startswith"])
PATTERNS = frozenset(["findall", "finditer", "fullmatch", "match", "search"])

FOREIGN = {
    ("grading", "raised.message"): "what Python, NumPy or a learner's own raise says",
    (
        "grading",
        "report.help",
    ): "the sentences' own words for what is not known yet, filled in later",
    ("service", "raised.message"): "what NumPy says of arguments that are no array",
    ("web", "error.detail"): "what Starlette says of a request",
    ("web", "found.message"): "the same text as the headline, so that it is shown once",
    ("web", "self.headline"): "the same",
    ("web", "each.message"): "looked for in the text above it, so that nothing is shown twice",
}
"""By room: texts a program may read, and why they have no other form."""


def read(tree: ast.AST) -> Iterator[ast.expr]:
    """Every expression that a program compares with a text, or searches one in."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if not _is_none_or_empty(sides[1]) and not _is_one_field_of_two(sides):
                yield from sides
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in ASKS:
                yield node.func.value
            elif node.func.attr in PATTERNS:
                yield from node.args


def _is_none_or_empty(side: ast.expr) -> bool:
    return isinstance(side, ast.Constant) and not side.value


def _is_one_field_of_two(sides: list[ast.expr]) -> bool:
    return len({side.attr if isinstance(side, ast.Attribute) else "" for side in sides}) == 1


def sentences_read(tree: ast.AST) -> list[str]:
    return [
        ast.unparse(side)
        for side in read(tree)
        if isinstance(side, ast.Attribute) and side.attr in SENTENCES
    ]


def test_no_program_reads_a_sentence() -> None:
    found = {
        (path.relative_to(ROOT / "app").parts[0], name.removeprefix("execution."))
        for path in (ROOT / "app").rglob("*.py")
        for name in sentences_read(ast.parse(path.read_text()))
    }
    assert found == FOREIGN.keys()


@pytest.mark.parametrize(
    "program",
    [
        "if execution.detail == 'no such function': pass",
        "is_forged = 'forged' in execution.detail",
        "if problem.message.startswith('Line'): pass",
        "found = PATTERN.search(problem.instead)",
        "if known.message == f'{name} is not here': pass",
    ],
)
def test_a_sentence_that_is_read_is_found(program: str) -> None:
    assert sentences_read(ast.parse(program))


def test_every_way_a_call_ends_has_its_words_and_is_believed_of_a_runner() -> None:
    assert CAUSES.keys() == {*get_args(Ended)}
    assert _BRIEF.keys() == {*Cause}
    assert {cause for causes in CAUSES.values() for cause in causes} == {None, *Cause} - {
        Cause.MACHINES  # said here, of a runner that is gone
    }


def test_every_verdict_that_is_no_success_has_its_words() -> None:
    assert VERDICT_WORDS.keys() == {*Verdict} - {Verdict.ACCEPTED, Verdict.WRONG_ANSWER}
    assert (outcome("accepted"), outcome("wrong_answer")) == ("all passed", "wrong values")
