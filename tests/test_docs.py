"""The documents keep up with the code: tables, verdicts, commands, targets, links and files."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.main import get_command

from app.cli import app as mlgrind
from app.config import Settings
from app.model import Verdict
from tests.cli.test_grade import MLGRIND
from tests.docs_tables import TABLES, Table, example

ROOT = Path(__file__).parents[1]
QUOTED = (
    ROOT / "docs" / "sentences.md"
)  # made of other files' texts; tests/test_sentences.py has it
DOCUMENTS = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")} - {QUOTED})
ROOTS = ("app", "bench", "docs", "exercises", "requirements", "static", "templates", "tests")
PATH = rf"(?<![\w./~$-])((?:{'|'.join(ROOTS)})/[\w./-]*)"
WITHOUT_PROGRAM = {
    Verdict.NOT_RUN,  # a single test's
    Verdict.NOT_SHOWN,  # what a class tells nobody for now
    Verdict.SANDBOX_KILLED,  # no known program gets past the policy; tests/hostile does without it
    Verdict.GRADER_ERROR,  # our own fault
}
GROUP = get_command(mlgrind)
assert isinstance(GROUP, typer.core.TyperGroup)
COMMANDS = GROUP.commands

each_document = pytest.mark.parametrize(
    "document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT))
)


def code(document: Path) -> Iterator[str]:
    """What stands in code spans and code blocks."""
    text = document.read_text()
    blocks = re.compile(r"^```.*?\n(.*?)^```", re.DOTALL | re.MULTILINE)
    yield from blocks.findall(text)
    yield from re.findall(r"`([^`\n]+)`", blocks.sub("", text))


# ---------------------------------------------------------------------------------------- tables


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_table_is_what_the_code_says(table: Table) -> None:
    assert table.written() == table.made(), "python -m tests.docs_tables --write"


@pytest.mark.parametrize("name", Settings.model_fields)
def test_setting_says_what_it_is(name: str) -> None:
    assert Settings.model_fields[name].description


@each_document
def test_document_names_only_settings_that_exist(document: Path) -> None:
    known = {f"MLGRIND_{name.upper()}" for name in Settings.model_fields}
    named = set(re.findall(r"MLGRIND_[A-Z_]*[A-Z]\b(?!_)", document.read_text()))
    assert {n for n in named if not any(k == n or k.startswith(f"{n}_") for k in known)} == set()


# -------------------------------------------------------------------------------------- verdicts


def sections() -> dict[str, str]:
    """docs/verdicts.md: what is said of each verdict."""
    text = (ROOT / "docs" / "verdicts.md").read_text()
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)[1:]
    return {name.strip("`"): body for name, body in zip(parts[::2], parts[1::2], strict=True)}


def programs() -> dict[str, str]:
    blocks = {
        name: re.findall(r"```python\n(.*?)```", body, re.S) for name, body in sections().items()
    }
    return {name: found[0] for name, found in blocks.items() if found}


def test_every_verdict_is_told_from_best_to_worst() -> None:
    told = [name for name in sections() if name != "Limits"]
    assert told == [str(verdict) for verdict in Verdict]


def test_every_verdict_that_a_program_can_get_has_one() -> None:
    assert programs().keys() == {str(v) for v in Verdict if v not in WITHOUT_PROGRAM}


def test_programs_get_the_verdicts_they_are_shown_for(tmp_path: Path) -> None:
    shown = programs()
    paths = [tmp_path / f"{name}.py" for name in shown]
    for path, program in zip(paths, shown.values(), strict=True):
        path.write_text(program)
    command = [str(MLGRIND), "grade", "stable-softmax", "--json", *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True)
    reports: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    assert [report["verdict"] for report in reports] == list(shown), done.stderr


# -------------------------------------------------------------------------------------- commands


@pytest.mark.parametrize("name", COMMANDS)
def test_command_shows_an_example_that_it_takes(name: str) -> None:
    command = COMMANDS[name]
    assert (command.epilog or "").startswith("Example")
    words = shlex.split(example(command.epilog or "").partition(" > ")[0])
    while "=" in words[0]:  # a variable before the command
        del words[0]
    assert words[:2] == ["mlgrind", name]
    taken = command.make_context(name, words[2:])
    assert taken.args == []


@each_document
def test_document_names_only_commands_that_exist(document: Path) -> None:
    said = [
        re.findall(r"(?:^|/|\s)mlgrind ([a-z]+)", text, re.MULTILINE) for text in code(document)
    ]
    named = {name for names in said for name in names}
    assert named - COMMANDS.keys() == set()


@each_document
def test_document_names_only_options_that_exist(document: Path) -> None:
    lines = [line for text in code(document) for line in text.splitlines()]
    for line in lines:
        for name, rest in re.findall(r"mlgrind ([a-z]+)((?: [^#|>&]+)?)", line):
            if name not in COMMANDS:
                continue
            command = COMMANDS[name]
            inner = getattr(command, "commands", {}).values()  # of `class` and `account`
            params = [p for each in (command, *inner) for p in each.params]
            known = {o for p in params for o in p.opts} | {"--help", "-h"}
            assert set(re.findall(r"(?<=\s)--[a-z-]+", rest)) <= known, line


# --------------------------------------------------------------------------------------- targets


@each_document
def test_document_names_only_targets_that_exist(document: Path) -> None:
    targets = set(re.findall(r"^\.PHONY: (\S+)$", (ROOT / "Makefile").read_text(), re.MULTILINE))
    said = [re.findall(r"^make ([a-z-]+)", text, re.MULTILINE) for text in code(document)]
    assert {name for names in said for name in names} - targets == set()


# --------------------------------------------------------------------------------- links and files


def anchors(document: Path) -> set[str]:
    """The anchors of a document's headings, as code hosts make them."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(), re.MULTILINE)
    kept = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings]
    return {heading.strip().replace(" ", "-") for heading in kept}


@each_document
def test_links_lead_somewhere(document: Path) -> None:
    text = re.sub(r"^```.*?^```", "", document.read_text(), flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"`[^`\n]+`", "", text)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (document.parent / path) if path else document
        assert file.exists(), target
        if anchor:
            assert anchor in anchors(file), target


@each_document
def test_document_names_only_files_that_exist(document: Path) -> None:
    """Paths from the checkout's root in code spans; `…`, `*`, `<` and `{` stand for any name."""
    for text in code(document):
        for named in re.findall(PATH, text):
            rest = text[text.index(named) + len(named) :]
            if rest[:1] in ("*", "<", "{", "…", "$"):
                named = named.rpartition("/")[0]
            assert (ROOT / named.rstrip(".")).exists() or built(named), named


def built(path: str) -> bool:
    """Made by `make setup`, and not in a fresh checkout."""
    return path.startswith("static/dist")
