"""docs/exercise-format.md is complete: held against the code that reads and proves folders."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from pydantic import BaseModel

import app.catalog.exercise_toml as settings
from app.catalog.folder import MAX_BYTES, MAX_FILES, REQUIRED
from app.catalog.texts import SECTIONS
from app.cli import app as cli
from app.jail.offer.modules import MODULES
from app.main import means as join
from app.model import Exercise, Limits, Tolerance
from app.sandbox.pool import LocalSandbox
from app.verify import LETTERS, prove, to_json
from app.verify.proof import Proof
from app.verify.prove_folder import CHECKS
from tests.verify.faults import FAULTS, SOUND, Fault, says

DOC = (Path(__file__).parents[1] / "docs" / "exercise-format.md").read_text()
PLAIN = " ".join(DOC.split())
PATTERNS = re.findall(r"^- `(.+)`$", DOC.partition("## What check says")[2], re.MULTILINE)


def test_every_key_that_is_read_is_explained() -> None:
    values = vars(settings).values()
    tables = [each for each in values if isinstance(each, type) and issubclass(each, BaseModel)]
    keys = {key for table in tables for key in table.model_fields}
    assert {"title", "rtol", "memory_mib", "equivalent_mutant", "labels"} < keys
    missing = [key for key in keys if not re.search(rf"`\[*{key}\b", DOC)]
    assert missing == []


def test_every_part_of_an_exercise_is_read_from_some_file() -> None:
    """A field that is added to Exercise comes from a key, and the doc has to grow with it."""
    made_here = {"slug", "statement", "hints", "files", "digest", "folder"}
    plural = {
        "examples": "example",
        "follow_ups": "follow_up",
        "sources": "source",
        "numbers": "number",
        "equivalent_mutants": "equivalent_mutant",
    }
    for field in fields(Exercise):
        if field.name not in made_here:
            assert re.search(rf"`\[*{plural.get(field.name, field.name)}\b", DOC), field.name


def test_every_kind_of_file_is_explained() -> None:
    for name in (*REQUIRED, "stages.py", "accepted/*.py", "mistakes/*.py"):
        assert f"| `{name}` |" in DOC, name


def test_limits_and_tolerance_are_those_of_the_code() -> None:
    usual = Limits()
    assert f"`cpu_s` seconds of computing a case ({usual.cpu_s:g})" in PLAIN
    assert f"`sleep_s` seconds a case may wait ({usual.sleep_s:g})" in PLAIN
    assert f"`budget_cpu_s` ({usual.budget_cpu_s:g})" in PLAIN
    assert f"`budget_wall_s` ({usual.budget_wall_s:g})" in PLAIN
    assert f"`memory_mib` ({usual.memory_bytes // 2**20})" in PLAIN
    assert f"`stdout_kib` printed ({usual.stdout_bytes // 2**10})" in PLAIN
    assert f"`result_kib` returned ({usual.result_bytes // 2**10})" in PLAIN
    assert (Tolerance().rtol, Tolerance().atol) == (1e-5, 1e-6)
    assert "Without it 1e-5 and 1e-6" in PLAIN
    assert f"at most {MAX_FILES} files of at most {MAX_BYTES // 2**20} MiB" in PLAIN


def test_the_sections_of_a_statement_are_named_in_order() -> None:
    assert " · ".join(SECTIONS) in PLAIN


def test_every_module_the_jail_offers_is_named() -> None:
    line = next(line for line in DOC.splitlines() if line.startswith("- Imports: "))
    assert set(re.findall(r"`([\w.]+)`", line)) == set(MODULES)


def test_every_drawing_is_named() -> None:
    drawings = {
        path.stem for path in (Path(__file__).parents[1] / "templates" / "drawings").glob("*.svg")
    }
    assert drawings
    assert all(f"`{name}`" in DOC or f"drawing:{name})" in DOC for name in drawings)


def test_every_check_is_listed() -> None:
    for words, _ in CHECKS:
        assert f"- {words}\n" in DOC


def test_every_letter_of_the_kill_table_is_explained() -> None:
    for letter, meaning in LETTERS.items():
        assert f"| `{letter}` | {meaning} |" in DOC


def test_every_key_of_the_json_is_named() -> None:
    document = to_json(Proof("slug", "folder"))
    keys = {*document, *document["mutants"]} - {"format"}
    assert [key for key in keys if f"`{key}`" not in DOC] == []


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.name for fault in FAULTS])
def test_every_complaint_is_listed(fault: Fault) -> None:
    complaint = fault.complaint.replace("…", "x")
    assert any(says("…" + pattern, "…" + complaint) for pattern in PATTERNS), complaint


@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_listed_complaint_is_made(pattern: str) -> None:
    said = [fault.complaint.replace("…", "x") for fault in FAULTS]
    assert any(says("…" + pattern, "…" + complaint) for complaint in said)


def test_the_worked_example_is_whole_and_proved(tmp_path: Path) -> None:
    blocks = re.findall(r"`([\w./]+)`:\n\n```\w+\n(.*?)\n```\n", DOC, re.DOTALL)
    folder = tmp_path / SOUND.name
    for name, text in blocks:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text + "\n")
    written = {str(path.relative_to(folder)) for path in folder.rglob("*.*")}
    assert written == {str(path.relative_to(SOUND)) for path in SOUND.rglob("*.*")}
    sandbox = LocalSandbox()
    try:
        proof = prove(folder, join(sandbox))
    finally:
        sandbox.close()
    assert [str(complaint) for complaint in proof.complaints] == []
    assert proof.named == 3


def test_the_refusals_shown_are_those_that_are_made() -> None:
    shown = [fault.complaint for fault in FAULTS if fault.complaint in DOC]
    assert "reference.py:14: os isn't available here." in " ".join(shown)


def test_every_command_for_authors_is_named() -> None:
    commands = {command.name for command in cli.registered_commands}
    for name in ("new", "check", "import", "serve"):
        assert name in commands and f"mlgrind {name}" in DOC
