"""Tables that other programs wrote, read without losing a byte; and cells of ours, made harmless.

    bytes ─▶ Table(encoding, separator, records of raw cells and their line ends) ─▶ the same bytes

A cell that is not touched is written back as it stood, quotes, blanks and all.
"""

from __future__ import annotations

import codecs
import unicodedata
from dataclasses import dataclass, replace

SEPARATORS = (",", ";", "\t")
MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class Unreadable(ValueError):
    """The file is no table we can read; the text is a sentence for the person who uploaded it."""


@dataclass(frozen=True)
class Record:
    """One line of a table: its cells as they stood, the line end too, and the line's number."""

    raw: tuple[str, ...]
    end: str
    line: int

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells' texts, without quotes and blanks around them."""
        return tuple(text_of(cell) for cell in self.raw)

    @property
    def empty(self) -> bool:
        """Whether the line says nothing."""
        return not any(self.cells)


@dataclass(frozen=True)
class TableFile:
    """A whole file. `mark` are the bytes before its text."""

    mark: bytes
    encoding: str
    separator: str
    records: tuple[Record, ...]

    def write(self) -> bytes:
        """The file's bytes."""
        text = "".join(self.separator.join(record.raw) + record.end for record in self.records)
        return self.mark + text.encode(self.encoding, "surrogatepass")

    def with_records(self, records: tuple[Record, ...]) -> TableFile:
        """The same file with other lines."""
        return replace(self, records=records)


def read(data: bytes, *, most_bytes: int, most_rows: int) -> TableFile:
    """A table in UTF-8 or UTF-16, by commas, semicolons or tabs. Raises Unreadable."""
    if len(data) > most_bytes:
        raise Unreadable(f"This file is larger than {most_bytes // 2**20} MiB.")
    mark, encoding = _encoding(data)
    try:
        text = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError:
        raise Unreadable("This file is neither UTF-8 nor UTF-16. Save it as CSV (UTF-8).") from None
    if not text.strip():
        raise Unreadable("This file is empty.")
    if "\x00" in text:
        line = text[: text.index("\x00")].count("\n") + 1
        raise Unreadable(f"Line {line} holds a NUL character: this is not a table.")
    separator = _separator(text)
    records = _records(text, separator)
    if len(records) > most_rows + 1:
        raise Unreadable(f"This file has more than {most_rows:,} rows.")
    return TableFile(mark, encoding, separator, records)


def _encoding(data: bytes) -> tuple[bytes, str]:
    return next(((mark, name) for mark, name in MARKS if data.startswith(mark)), (b"", "utf-8"))


def _separator(text: str) -> str:
    """The one that the first line that says anything has most of, outside quotes."""
    counts = dict.fromkeys(SEPARATORS, 0)
    quoted = False
    for sign in text.lstrip("\r\n"):
        if sign == '"':
            quoted = not quoted
        elif sign in "\r\n" and not quoted:
            break
        elif sign in counts and not quoted:
            counts[sign] += 1
    return max(SEPARATORS, key=lambda sign: counts[sign])


def _records(text: str, separator: str) -> tuple[Record, ...]:
    records: list[Record] = []
    cells: list[str] = []
    at, line = 0, 1
    while at < len(text):
        end = _cell_end(text, at, separator)
        cells.append(text[at:end])
        if end < len(text) and text[end] == separator:
            at = end + 1
            if at == len(text):
                cells.append("")
            continue
        stop = text[end : end + 2] if text[end : end + 2] == "\r\n" else text[end : end + 1]
        records.append(Record(tuple(cells), stop, line))
        line += sum(cell.count("\n") for cell in cells) + 1
        cells, at = [], end + len(stop)
    if cells:
        records.append(Record(tuple(cells), "", line))
    return tuple(records)


def _cell_end(text: str, at: int, separator: str) -> int:
    """Where the cell that begins at `at` ends; inside quotes, separators and line ends are text."""
    stops = separator + "\r\n"
    if text[at : at + 1] == '"':
        close = at + 1
        while (close := text.find('"', close)) >= 0:
            if text[close + 1 : close + 2] != '"':
                break
            close += 2
        if close >= 0:
            at = close + 1
    while at < len(text) and text[at] not in stops:
        at += 1
    return at


def text_of(raw: str) -> str:
    """A raw cell's text: quotes taken off, doubled ones made single, blanks around it gone."""
    if len(raw) > 1 and raw.startswith('"') and raw.endswith('"'):
        raw = raw[1:-1].replace('""', '"')
    return raw.strip()


def like(raw: str, text: str, separator: str) -> str:
    """A cell that says `text`, quoted where the one it replaces was or where it has to be."""
    if raw.startswith('"') or any(sign in text for sign in (separator, '"', "\r", "\n")):
        return '"' + text.replace('"', '""') + '"'
    return text


def written(rows: list[list[str]], separator: str = ",") -> bytes:
    """A table of ours (RFC 4180, UTF-8), each cell quoted only where it must be."""
    lines = [separator.join(like("", cell, separator) for cell in row) for row in rows]
    return "".join(line + "\r\n" for line in lines).encode("utf-8", "replace")


def harmless(text: str) -> str:
    """A cell no spreadsheet takes for a formula: such a start gets an apostrophe before it.

    Spreadsheets also look behind leading blanks (OWASP, CSV Injection), and some read full-width
    signs as the plain ones.
    """
    seen = "".join(c for c in text if unicodedata.category(c) != "Cf")
    begins = unicodedata.normalize("NFKC", seen).lstrip()[:1]
    return "'" + text if begins and begins in "=+-@|%" or text[:1] in ("\t", "\r", "\n") else text
