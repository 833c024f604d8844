"""Prose of a new folder that its author left standing: learners would read it as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from app.verify.lines_in_files import line_with
from app.verify.proof import Complaint
from app.verify.scaffold import draft_files

_MARKED = re.compile(r"FILL IN \d+ of \d+: (.{12,}?)\.?[\"\s]*$", re.MULTILINE)
_UNMARKED = (
    "A short title",
    "What happened, where it shows, and what to think about.",
    "What happened, and what to think about.",
    "Say in a few lines where this is used and why it works.",
    "One sentence for the list of exercises.",
)
"""What stood in a draft, now or before, without a mark of its own."""


def left(files: Mapping[str, bytes]) -> Iterator[Complaint]:
    """A complaint about each sentence of the draft that stands there without its mark."""
    words = [*_UNMARKED, *(said for text in draft_files() for said in _MARKED.findall(text))]
    for file, data in files.items():
        if not file.endswith((".py", ".md", ".toml")):
            continue
        for said in words:
            line = line_with(data, said)
            if line is not None and b"FILL IN" not in data.splitlines()[line - 1]:
                message = f'still has the words of the draft: "{said.rstrip(".")}". Write your own.'
                yield Complaint(file, message, "", line)
