"""The sentences of a template: visible texts and labels, with {names} in the gaps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from jinja2 import Environment

_LABELS = ("aria-label", "title", "placeholder", "alt", "content", "data-say", "data-name")
_INLINE = {
    *("a", "abbr", "b", "br", "code", "data", "em", "i", "kbd", "mark", "s", "samp", "small"),
    *("span", "strong", "sub", "sup", "time", "tspan", "u", "var", "wbr"),
}
_UNSEEN = {"script", "style", "path", "symbol"}
_PROSE = re.compile(r"[A-Z][a-z]+$|[A-Za-z`’{]+[,;:]? [A-Za-z{]")


def sentences(source: str) -> Iterator[str]:
    """Every text of a template, in order, each once."""
    page = _Page()
    page.feed(_flat(source))
    page.close()
    seen = set()
    for text in page.texts:
        flat = _tidy(text)
        if flat not in seen and re.search(r"[A-Za-z]{2}", re.sub(r"\{[^}]*\}", "", flat) or ""):
            seen.add(flat)
            yield flat
        elif flat not in seen and "| " in flat:
            seen.add(flat)
            yield flat


def _tidy(text: str) -> str:
    flat = " ".join(text.split())
    flat = re.sub(r"(?:\s*/\s*)+(?=/|$)|^(?:\s*/)+\s*", "", flat)
    return re.sub(r"\s+([,.;:?!])(?=\s|$)", r"\1", flat).strip()


def _flat(source: str) -> str:
    """HTML with a {name} where an expression stands, and " / " between two branches."""
    pieces: list[str] = []
    inside: list[tuple[str, str]] = []
    for _, kind, text in Environment().lex(source):  # noqa: S701 (nothing is rendered)
        if kind == "data":
            pieces.append(text)
        elif kind in ("variable_begin", "block_begin"):
            inside = []
        elif kind == "variable_end":
            pieces.append(_gap(inside))
        elif kind == "block_end":
            pieces.append(_branch(inside))
        elif kind in ("string", "name", "operator"):
            inside.append((kind, text))
    return "".join(pieces)


def _spoken(tokens: list[tuple[str, str]]) -> list[str]:
    """The texts of an expression that a reader sees."""
    texts = [text[1:-1] for kind, text in tokens if kind == "string"]
    return [" ".join(text.split()) for text in texts if _PROSE.search(text)]


def _gap(tokens: list[tuple[str, str]]) -> str:
    strings = [text[1:-1] for kind, text in tokens if kind == "string"]
    chosen = ("name", "if") in tokens or ("operator", "?") in tokens
    texts = strings if chosen and not _spoken(tokens) else _spoken(tokens)
    if texts:
        return "{" + " | ".join(filter(None, texts)) + "}"
    path = []
    for kind, text in tokens:
        if kind == "operator" and text not in (".", "("):
            break
        if kind == "name":
            path.append(text)
    return "{" + (path[-1] if path else "…") + "}"


def _branch(tokens: list[tuple[str, str]]) -> str:
    first = tokens[0][1] if tokens else ""
    if first in ("else", "elif"):
        return " / "
    if first in ("set", "call"):
        return "".join(f"<p>{text}</p>" for text in _spoken(tokens) if " " in text)
    return ""


class _Page(HTMLParser):
    """Collects what is between the tags, a text an element that begins a line of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = [""]
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A label is a text of its own; a block begins a new one."""
        self._unseen += tag in _UNSEEN and tag in ("script", "style")
        labels = [value for name, value in attrs if name in _LABELS and value]
        if tag in ("input", "button") and not any(n == "type" and v == "hidden" for n, v in attrs):
            labels += [v for n, v in attrs if n == "value" and v and tag == "input" and " " in v]
        if tag not in _INLINE:
            self.texts.append("")
        if labels and tag != "meta":
            current = self.texts.pop() if tag in _INLINE else ""
            self.texts += [*labels, current]

    def handle_endtag(self, tag: str) -> None:
        """A block that ends begins a new text."""
        self._unseen -= tag in ("script", "style")
        if tag not in _INLINE:
            self.texts.append("")

    def handle_data(self, data: str) -> None:
        """What a reader sees."""
        if not self._unseen:
            self.texts[-1] += data
