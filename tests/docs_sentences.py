"""Every sentence a learner can read, in one document: docs/sentences.md.

python -m tests.docs_sentences            says whether it is out of date
python -m tests.docs_sentences --write    writes it anew
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from tests.sentences import exercises, programs, scripts, templates

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "sentences.md"
COMMAND = "python -m tests.docs_sentences --write"
HEAD = f"""# Sentences

Every sentence that a learner, an instructor or an author can read, grouped by where they meet it. \
`{{name}}` stands for what differs each time, `{{a | b}}` for one of two, ` / ` parts the branches \
of a page.

Made by `{COMMAND}` from the code, the pages and the exercises: after changing a sentence, run it; \
never edit this file by hand. [words.md](words.md) says which word means what.
"""

GROUPS = (
    ("The pages", "templates/*.html templates/parts templates/drawings app/web/pages/*.py"),
    ("While one works", "static/src"),
    ("Code that is not run", "app/jail/policy app/jail/offer app/grading/rules.py"),
    ("Code that stops", "app/jail/explain app/grading/sentences/e*.py"),
    ("The report", "app/grading app/web/report app/web/html app/report app/model app/records.py"),
    ("Refusals, and other answers", "app/service/*.py app/admission.py app/web/*.py app/web/api"),
    ("Classes", "templates/class app/web/pages/classes app/classroom app/service/school"),
    (
        "The shell",
        "app/cli app/main.py app/config.py app/sandbox/self_test.py app/sandbox/layers.py",
    ),
    ("Authors", "app/catalog app/expectations app/verify"),
    ("Everything else", "app templates"),
)
SILENT = (
    "app/grading/hidden_messages.py",  # of NumPy and Python, not ours
    "app/jail/offer/bases.py",  # reasons for us
    "app/jail/*.py",  # for the other side of the wall, and for our log
    "app/jail/locks",
    "app/jail/mutate",
    "app/jail/trace",
    "app/jobs",
    "app/metrics.py",
    "app/storage",
    "app/sandbox/[c-kopt]*.py",
    "app/sandbox/session.py",
    "static/src/editor/look.ts",  # styles
    "static/src/page/theme.ts",
    "templates/parts/favicon.svg",
)
KINDS = {".py", ".ts", ".html", ".svg"}


def document() -> str:
    """The whole document."""
    parts = [HEAD, *_groups(), "## Exercises"]
    for folder in sorted((ROOT / "exercises").iterdir()):
        if (folder / "exercise.toml").exists():
            parts += filter(None, exercises.lines(folder))
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _groups() -> Iterator[str]:
    seen = {path for silent in SILENT for path in _files(silent)}
    for title, places in GROUPS:
        told = []
        for path in [path for place in places.split() for path in _files(place)]:
            found = [] if path in seen else list(_sentences(path))
            seen.add(path)
            if found:
                told.append(f"### {path.relative_to(ROOT).as_posix()}")
                told.append("\n".join(f"- {sentence}" for sentence in found))
        if told:
            yield f"## {title}"
            yield from told


def _files(place: str) -> list[Path]:
    whole = ROOT / place
    found = whole.rglob("*") if whole.is_dir() else ROOT.glob(place)
    return sorted(path for path in found if path.suffix in KINDS and path.is_file())


def _sentences(path: Path) -> Iterator[str]:
    source = path.read_text()
    if path.suffix == ".py":
        return programs.sentences(source, raised="jail" in path.parts)
    if path.suffix == ".ts":
        return scripts.sentences(source)
    return templates.sentences(source)


def main() -> None:
    """Say whether the document is out of date, or write it."""
    if "--write" in sys.argv:
        DOCUMENT.write_text(document())
    current = DOCUMENT.exists() and DOCUMENT.read_text() == document()
    sys.exit(None if current else f"out of date: {COMMAND}")


if __name__ == "__main__":
    main()
