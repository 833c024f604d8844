"""Tables of docs/ that are made from the code: settings, limits and commands.

    python -m tests.docs_tables            says which are out of date
    python -m tests.docs_tables --write    writes them anew

Each stands between `<!-- NAME: made by tests/docs_tables.py -->` and `<!-- end -->`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path, PurePath

import typer
from typer.main import get_command

from app.cli import app as mlgrind
from app.config import Settings
from app.jail.policy.compile import SOURCE_BYTES
from app.model import Limits

ROOT = Path(__file__).parents[1]
MEBIBYTE = 1024 * 1024


@dataclass(frozen=True)
class Table:
    """A table's place and its rows."""

    name: str
    document: Path
    rows: Callable[[], Iterable[str]]

    def written(self) -> str:
        """What the document says now. Raises LookupError where it has no place for the table."""
        return self._place(self.document.read_text()).group("table")

    def made(self) -> str:
        """What it should say."""
        return "\n".join(["", *self.rows(), ""])

    def write(self) -> None:
        """Put the table into its document."""
        text = self.document.read_text()
        place = self._place(text)
        start, end = place.span("table")
        self.document.write_text(text[:start] + self.made() + text[end:])

    def _place(self, text: str) -> re.Match[str]:
        start = f"<!-- {self.name}: made by tests/docs_tables.py -->"
        found = re.search(rf"{re.escape(start)}\n(?P<table>.*?)<!-- end -->", text, re.DOTALL)
        if found is None:
            raise LookupError(f"{self.document.name} has no place for the table of {self.name}")
        return found


def settings() -> Iterable[str]:
    """Every setting: the variable, its default, what it is."""
    yield from head("variable", "default", "what it is")
    prefix = Settings.model_config["env_prefix"]
    for name, field in Settings.model_fields.items():
        default = field.get_default(call_default_factory=True)
        yield row(f"`{prefix}{name.upper()}`", _spelled(default), field.description or "")


def limits() -> Iterable[str]:
    """What one submission may use unless its exercise says otherwise."""
    usual = Limits()
    yield from head("what", "limit")
    yield row("source", f"{SOURCE_BYTES // 1024} KiB")
    yield row("CPU time of one test", f"{usual.cpu_s:g} s")
    yield row("CPU time of all tests", f"{usual.budget_cpu_s:g} s")
    yield row("sleeping in one test", f"{usual.sleep_s:g} s")
    yield row("time of all tests", f"{usual.budget_wall_s:g} s")
    yield row("memory", f"{usual.memory_bytes // MEBIBYTE} MiB")
    yield row("printed", f"{usual.stdout_bytes // 1024} KiB")
    yield row("returned by all tests", f"{usual.result_bytes // MEBIBYTE} MiB")


def commands() -> Iterable[str]:
    """Every command, the first sentence of its help, and its example."""
    yield from head("command", "what it does", "example")
    group = get_command(mlgrind)
    assert isinstance(group, typer.core.TyperGroup)
    for name, command in group.commands.items():
        first = (command.help or "").strip().split("\n\n")[0].replace("\n", " ")
        yield row(f"`mlgrind {name}`", first, f"`{example(command.epilog or '')}`")


def example(epilog: str) -> str:
    """The command line that the end of a command's help shows."""
    return epilog.partition(": ")[2]


def head(*names: str) -> Iterable[str]:
    yield row(*names)
    yield "|" + "---|" * len(names)


def row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _spelled(default: object) -> str:
    if default in (None, ()):
        return ""
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    return f"`{'./' if isinstance(default, PurePath) else ''}{default}`"


TABLES = (
    Table("settings", ROOT / "docs" / "hosting.md", settings),
    Table("commands", ROOT / "docs" / "hosting.md", commands),
    Table("limits", ROOT / "docs" / "verdicts.md", limits),
)


def main() -> None:
    """Say which tables are out of date, or write them all."""
    if "--write" in sys.argv:
        for table in TABLES:
            table.write()
    stale = [table.name for table in TABLES if table.written() != table.made()]
    sys.exit(f"out of date: {', '.join(stale)}" if stale else None)


if __name__ == "__main__":
    main()
