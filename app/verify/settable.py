"""Proof that every formula of an author's texts can be set: those that can't are shown as TeX."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

from app.model import Exercise, Formula
from app.verify.lines_in_files import line_with
from app.verify.proof import Complaint
from app.verify.trial import HINTS, SETTINGS, STATEMENT, Trial

SHOWN = 40
"""Characters of a formula that a complaint names it by."""

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
_MARKDOWN.use(dollarmath_plugin, allow_digits=False)


def can_be_set(trial: Trial) -> Iterator[Complaint]:
    """Every formula becomes MathML, within its budget."""
    for file, text in _texts(trial.exercise):
        formulas = tuple(dict.fromkeys(_found(_MARKDOWN.parse(text))))
        for formula, made in zip(formulas, trial.sandbox.typeset(formulas), strict=True):
            if made.complaint:
                tex = formula.tex.split("\n")[0][:SHOWN]
                cut = "" if tex == formula.tex else "…"
                line = line_with(trial.exercise.files[file], tex)
                message = f"has a formula that can't be set, ${tex}{cut}$. {made.complaint}"
                yield Complaint(file, message, "", line)


def _texts(exercise: Exercise) -> Iterator[tuple[str, str]]:
    yield STATEMENT, exercise.statement
    for hint in exercise.hints:
        yield HINTS, hint.body
    for question in exercise.follow_ups:
        for text in (question.question, question.answer, question.explanation):
            yield SETTINGS, text
    for example in exercise.examples:
        yield SETTINGS, example.text


def _found(tokens: Iterable[Token]) -> Iterator[Formula]:
    for token in tokens:
        yield from _found(token.children or ())
        if token.type.startswith("math_"):
            yield Formula(str(token.content).strip(), token.type != "math_inline")
