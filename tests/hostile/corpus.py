"""The hostile programs: what each must come to, with the language policy on and with it off.

A case is a file whose first lines say it: `# expect: category`, `# goal: words` and, for a run
without the policy, `# raw: categories`. Read as bytes: some hold what no text file holds.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from pathlib import Path

from app.model import Verdict

FOLDER = Path(__file__).parent / "cases"

CATEGORIES = {
    "ok": {Verdict.ACCEPTED},
    # What does not parse is as well refused; a guard may refuse when it runs.
    "policy_error": {Verdict.POLICY_ERROR, Verdict.SYNTAX_ERROR},
    "runtime_error": {Verdict.RUNTIME_ERROR, Verdict.POLICY_ERROR},
    "wrong_answer": {Verdict.WRONG_ANSWER},
    "time_limit": {Verdict.TIME_LIMIT},
    "memory_limit": {Verdict.MEMORY_LIMIT},
    "output_limit": {Verdict.OUTPUT_LIMIT},
    "sandbox_killed": {Verdict.SANDBOX_KILLED},
}


@dataclass(frozen=True)
class Case:
    """One hostile program and the verdicts that are right for it; `raw` may be empty."""

    name: str
    source: bytes
    expected: frozenset[Verdict]
    raw: frozenset[Verdict]


def cases() -> tuple[Case, ...]:
    """All of them, by name."""
    return tuple(_case(path) for path in sorted(FOLDER.glob("*.py")))


def _case(path: Path) -> Case:
    source = path.read_bytes()
    headers = dict(_headers(source))
    assert {"expect", "goal"} <= headers.keys(), path
    return Case(path.stem, source, _verdicts(headers["expect"]), _verdicts(headers.get("raw", "")))


def _headers(source: bytes) -> list[tuple[str, str]]:
    found = []
    for line in source.removeprefix(codecs.BOM_UTF8).splitlines()[:4]:
        name, colon, words = line.decode("utf-8", "replace").removeprefix("# ").partition(": ")
        if line.startswith(b"# ") and colon:
            found.append((name, words.strip()))
    return found


def _verdicts(names: str) -> frozenset[Verdict]:
    return frozenset(v for name in names.split(",") if name for v in CATEGORIES[name.strip()])
