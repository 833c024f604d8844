"""`mlgrind import`: a bank's problem folder as the draft of an exercise, and what it still lacks.

What the folder says is taken over, what its tests do is recorded in the jail, and whatever neither
says is left as a marked place for the author. Nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.catalog.texts import SECTIONS
from app.expectations.cases import TESTS
from app.model import FunctionInfo, Parameter, Source
from app.ports import AuthorSandbox
from app.verify import bank, scaffold
from app.verify.bank import BankProblem, NotABank
from app.verify.literals import literal
from app.verify.recording import Recorded, record

MARK = "FILL IN"
_HINTS = 3
_ROUNDS = re.compile(rb"\bround\(|\.round\(|\bnp\.around\(")
DIFFICULTIES = ("easy", "medium", "hard")
_HEADING = re.compile(r"^(#{1,4}) ", re.MULTILINE)


@dataclass(frozen=True)
class Imported:
    """The folder that was written, and what its author still has to do, a sentence each."""

    folder: Path
    missing: tuple[str, ...]


def import_folder(
    source: Path, directory: Path, sandbox: AuthorSandbox, *, slug: str = "", function: str = ""
) -> Imported:
    """Write a draft as a new folder in `directory`.

    Raises NotABank, CannotWrite, OSError, and SandboxFault.
    """
    problem = bank.read(source)
    name = slug or problem.slug
    scaffold.check(name)  # the name must do before anything is run
    entry = _entry(problem, sandbox, function)
    recorded = record(problem, entry.name, entry.parameters, sandbox)
    draft = _Draft(problem, name, entry, recorded)
    texts = {path: text.encode() for path, text in draft.texts()}
    texts["starter.py"], texts["reference.py"] = problem.starter, problem.solution
    return Imported(scaffold.write(name, directory, texts), tuple(draft.missing()))


def _entry(problem: BankProblem, sandbox: AuthorSandbox, wanted: str) -> FunctionInfo:
    """The function learners write: the starter's only one, or the one that was named."""
    found, problems = sandbox.describe(Source("starter_code.py", problem.starter))
    if problems:
        reasons = "\n".join(f"starter_code.py: {p.message} {p.instead}".strip() for p in problems)
        raise NotABank(f"{reasons}\nFix it first: it says which function learners write.")
    names = [info.name for info in found]
    if not names:
        raise NotABank(f"starter_code.py: has no function of its own{_instead(problem.starter)}.")
    if wanted and wanted not in names:
        raise NotABank(f"starter_code.py: has no function {wanted}; it has {', '.join(names)}.")
    if not wanted and len(found) != 1:
        which = ", ".join(names) or "none"
        raise NotABank(f"starter_code.py: has {len(found)} functions ({which}). Say --function.")
    return next(info for info in found if not wanted or info.name == wanted)


def _instead(starter: bytes) -> str:
    has_class = re.search(rb"^class\s+\w+", starter, re.MULTILINE) is not None
    return ", only a class; in an exercise learners write a function" if has_class else ""


class _Draft:
    """The texts of the new folder, and what is missing in them."""

    def __init__(
        self, problem: BankProblem, slug: str, entry: FunctionInfo, recorded: Sequence[Recorded]
    ) -> None:
        self._problem, self._slug, self._entry = problem, slug, entry
        self._recorded = recorded
        self._cases: list[tuple[int, str]] = []
        self._lost: list[str] = []
        for one in recorded:
            self._take(one)

    def _take(self, one: Recorded) -> None:
        try:
            if one.arguments is None:
                raise ValueError(one.reason)
            values = [literal(value) for value in one.arguments]
        except ValueError as reason:
            why = str(reason).rstrip(".")
            self._lost.append(f"tests.json, test {one.number}: {why}. Write that case by hand.")
            return
        end = "," if len(values) == 1 else ""
        self._cases.append((one.number, f"({', '.join(values)}{end})"))

    def texts(self) -> Iterator[tuple[str, str]]:
        """Path and text of every file but starter and reference."""
        yield "exercise.toml", self._settings()
        yield "statement.md", self._statement()
        yield "cases.py", self._case_file()
        yield "hints.md", _hint_file()
        yield "mistakes/first.py", _mistake_file(self._entry.parameters)

    def missing(self) -> Iterator[str]:
        """What the author still has to do, in the order of the files."""
        yield f"exercise.toml, statement.md, hints.md: the places marked {MARK}."
        if len(self._cases) < TESTS:
            count = TESTS - len(self._cases)
            yield f"cases.py: {count} of {TESTS} test cases; the folder gives {len(self._cases)}."
        if self._cases:
            yield "cases.py: what each case probes, for its docstring."
        yield from self._lost
        for one in self._recorded:
            if one.printed:
                yield f"tests.json, test {one.number}: solution.py {one.printed}. Which is right?"
        if _ROUNDS.search(self._problem.solution):
            yield (
                "reference.py: it rounds, so right answers that don't would fail. Return unrounded"
                " values; the tolerance allows for rounding."
            )
        yield "mistakes/first.py: a first mistake. A bank's folder knows none."

    def _settings(self) -> str:
        problem = self._problem
        names = [name for name, _ in self._named_cases()]
        level = problem.difficulty if problem.difficulty in DIFFICULTIES else MARK
        title = problem.title or scaffold.title(self._slug)
        lines = [
            f"title = {_quoted(title)}",
            f"section = {_quoted(scaffold.SECTION)}",
            "order = 1",
            f"difficulty = {_quoted(level)}",
            f'summary = "{MARK}: one sentence for the list of exercises"',
            f'entry_point = "{self._entry.name}"',
            f"visible = [{_quoted(names[0] if names else MARK)}]",
            f'trace = "{MARK}: an example in which all sizes differ"',
            "",
            f"# {MARK}: a name for each axis of each array argument and of the output.",
            "[axes]",
            *(f'# {parameter.name} = ["…"]' for parameter in self._entry.parameters),
            '# return = ["…"]',
        ]
        return "\n".join(lines) + "\n"

    def _statement(self) -> str:
        problem = self._problem
        known = {
            SECTIONS[0]: _demoted(problem.description),
            SECTIONS[1]: _demoted(problem.learn),
        }
        parts = [f"## {name}\n\n{known.get(name) or f'{MARK}: this section.'}" for name in SECTIONS]
        example = [f"{key}: {text}" for key, text in problem.example.items() if text]
        if example:
            said = "\n".join(f"    {line}" for text in example for line in text.splitlines())
            parts[4] += f"\n\n{MARK}: move into [[example]] what is still right of\n\n{said}"
        return "\n\n".join(parts) + "\n"

    def _named_cases(self) -> list[tuple[str, str]]:
        return [(f"test_{number}", values) for number, values in self._cases]

    def _case_file(self) -> str:
        lines = ['"""The test cases, taken from the tests of the imported folder."""']
        lines += ["import numpy as np", ""]
        for at, (name, values) in enumerate(self._named_cases()):
            kind = "Example: " if at >= TESTS else ""
            docstring = f'"""{kind}{MARK}: what it probes."""'
            lines += ["", f"def {name}():", f"    {docstring}", f"    return {values}", ""]
        if len(self._cases) < TESTS:
            lines += ["", f"# {MARK}: {TESTS - len(self._cases)} more test cases."]
        return "\n".join(lines) + "\n"


def _hint_file() -> str:
    hints = (f"## Hint {n}\n\n{MARK}: from a nudge to nearly there." for n in range(1, _HINTS + 1))
    return "\n\n".join(hints) + "\n"


def _mistake_file(parameters: Sequence[Parameter]) -> str:
    names = ", ".join(p.name if p.default is None else f"{p.name}={p.default}" for p in parameters)
    return (
        f'"""Mistakes of one area."""\n\n\n# {MARK}: the mistake learners make most often.\n'
        f"def first_mistake({names}):\n"
        '    """A short title\n\n    What happened, and what to think about.\n\n    Hint: 1\n'
        '    """\n'
    )


def _demoted(text: str) -> str:
    """Markdown whose headings stay below the sections of a statement."""
    return _HEADING.sub(r"\1## ", text).strip()


def _quoted(text: str) -> str:
    """A TOML string on one line."""
    plain = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'
