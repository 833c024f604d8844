"""Programs that are the same, by equality only.

No percentages: two plain solutions of a small exercise, written apart, share two thirds of their
fingerprints once names and layout are gone. Equal is equal, and even that proves nothing: the page
says how short a program is, and that two people can write it alike.
"""

from __future__ import annotations

import builtins
import hashlib
import keyword
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from app import lexer
from app.model import Slug, SubmissionId
from app.model.classes import EnrolmentId

AMONG = 20
"""Programs equal but for names and layout are shown only where so many learners sent one."""

TOGETHER = 3
"""More learners than this with one such program means that it is the way to write it."""

KEPT = frozenset(dir(builtins)) | frozenset(keyword.kwlist)
LINE = 400
"""Characters before a string that are looked at for what its line begins with."""


@dataclass(frozen=True)
class Sent:
    """A program that somebody in the class sent; those sent after opening the solution are not."""

    enrolment: EnrolmentId
    exercise: Slug
    submission: SubmissionId
    source: str
    accepted: bool
    named: bool


@dataclass(frozen=True)
class Group:
    """Learners who sent the same program; `wrong` says that it is off and no mistake names how."""

    exercise: Slug
    kind: Literal["text", "program"]
    tokens: int
    sent: tuple[Sent, ...]
    wrong: bool
    recurs: int = 1


def fingerprint(source: str) -> tuple[str, int]:
    """A hash of the program without its own names, comments, layout and spelling of numbers.

    Also its length in tokens. Keywords, builtins and what stands after a dot are kept: `np.max` is
    not `np.sum`.
    """
    tokens = list(_tokens(source))
    return hashlib.sha256("\x00".join(tokens).encode("utf-8", "replace")).hexdigest(), len(tokens)


def _tokens(source: str) -> Iterator[str]:
    names: dict[str, str] = {}
    at, before = 0, ""
    for token in lexer.tokens(source):
        for sign in _signs(source[at : token.start]):
            yield sign
            before = sign
        at = token.end
        if token.kind == "comment" or _is_docstring(source, token):
            continue
        yield _plain(token, before, names)
        before = ""
    yield from _signs(source[at:])


def _signs(between: str) -> Iterator[str]:
    return (sign for sign in between if not sign.isspace() and sign != "\\")


def _is_docstring(source: str, token: lexer.Token) -> bool:
    """A string that is a line by itself."""
    if token.kind != "string":
        return False
    line = source.rfind("\n", 0, token.start) + 1
    end = source.find("\n", token.end)
    after = source[token.end : end if end >= 0 else len(source)]
    return not source[line : token.start].strip() and not after.strip()


def _plain(token: lexer.Token, before: str, names: dict[str, str]) -> str:
    if token.kind == "number":
        return _number(token.text)
    if token.kind == "name" and before != "." and token.text not in KEPT:
        return names.setdefault(token.text, f"name {len(names)}")
    return token.text


def _number(text: str) -> str:
    try:
        return repr(float(text.replace("_", "")))
    except ValueError:
        return text


def similar(sent: Iterable[Sent], known: Collection[str], learners: int) -> tuple[Group, ...]:
    """Groups of learners whose programs are equal, those that recur together first.

    `known` are fingerprints of the starter, the reference and other published ways; `learners` is
    how many of the class sent anything at all.
    """
    groups: list[Group] = []
    for exercise, programs in _by_exercise(sent).items():
        marks = {one.submission: fingerprint(one.source) for one in programs}
        fresh = [one for one in programs if marks[one.submission][0] not in known]
        same_text = _grouped(fresh, {one.submission: one.source for one in fresh})
        same = _grouped(fresh, {one.submission: marks[one.submission][0] for one in fresh})
        groups += [_group(exercise, "text", found, marks) for found in same_text]
        seen = {frozenset(one.enrolment for one in found) for found in same_text}
        for found in same if learners >= AMONG else ():
            people = frozenset(one.enrolment for one in found)
            if len(people) <= TOGETHER and people not in seen:
                groups.append(_group(exercise, "program", found, marks))
    return _ordered(groups)


def _by_exercise(sent: Iterable[Sent]) -> dict[Slug, list[Sent]]:
    found: dict[Slug, list[Sent]] = defaultdict(list)
    for one in sent:
        found[one.exercise].append(one)
    return found


def _grouped(sent: list[Sent], marks: dict[SubmissionId, str]) -> list[tuple[Sent, ...]]:
    """Programs of one mark, one a learner, where two learners or more have it."""
    found: dict[str, dict[EnrolmentId, Sent]] = defaultdict(dict)
    for one in sent:
        found[marks[one.submission]].setdefault(one.enrolment, one)
    return [tuple(people.values()) for people in found.values() if len(people) > 1]


def _group(
    exercise: Slug,
    kind: Literal["text", "program"],
    sent: tuple[Sent, ...],
    marks: dict[SubmissionId, tuple[str, int]],
) -> Group:
    wrong = not any(one.accepted or one.named for one in sent)
    return Group(exercise, kind, marks[sent[0].submission][1], sent, wrong)


def _ordered(groups: list[Group]) -> tuple[Group, ...]:
    """By in how many exercises the same people recur, then wrong ones first, then longer ones."""
    exercises: dict[frozenset[EnrolmentId], set[Slug]] = defaultdict(set)
    for group in groups:
        for pair in _pairs(group):
            exercises[pair].add(group.exercise)
    counted = Counter({pair: len(slugs) for pair, slugs in exercises.items()})
    told = [
        Group(
            group.exercise,
            group.kind,
            group.tokens,
            group.sent,
            group.wrong,
            recurs=max(counted[pair] for pair in _pairs(group)),
        )
        for group in groups
    ]
    return tuple(
        sorted(told, key=lambda g: (-g.recurs, not g.wrong, -g.tokens, g.exercise, g.kind))
    )


def _pairs(group: Group) -> list[frozenset[EnrolmentId]]:
    people = sorted({one.enrolment for one in group.sent})
    return [frozenset((a, b)) for n, a in enumerate(people) for b in people[n + 1 :]]


def without_words(source: str) -> str:
    """The program without comments and texts, which may hold names: strings are emptied."""
    parts, at = [], 0
    for token in lexer.tokens(source):
        if token.kind not in ("comment", "string"):
            continue
        parts.append(source[at : token.start])
        parts.append("" if token.kind == "comment" else f"{token.prefix}{chr(34) * 2}")
        at = token.end
    parts.append(source[at:])
    lines = "".join(parts).splitlines()
    return "\n".join(line.rstrip() for line in lines if line.strip()) + "\n"
