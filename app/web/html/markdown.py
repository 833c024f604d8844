"""An exercise's Markdown as HTML: formulas as MathML, code coloured, our own drawings inlined.

HTML in the Markdown is text. Formulas are set in the jail, for their parser is native code; one
that does not parse, or breaks that parser, stays readable as its source.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any, TypeVar

import structlog
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape
from mdit_py_plugins.dollarmath import dollarmath_plugin

from app.catalog.formulas import depth_of
from app.grading.sentences.phrases import shown
from app.model import Formula, Typeset
from app.model.bounds import FORMULA_CHARACTERS, FORMULA_DEPTH, MARKDOWN_CHARACTERS
from app.places import place
from app.ports import SandboxFault
from app.web.html.code import highlighted
from app.web.html.one_by_one import OneByOne
from app.web.html.remembered import Remembered

log = structlog.get_logger()

T = TypeVar("T")
Typesetter = Callable[[tuple[Formula, ...]], Sequence[Typeset]]
Set = Callable[[Iterable[Token]], Mapping[Formula, Typeset]]
"""Gives what the formulas among the tokens of a text became."""

_MATH_AND_SIGN = re.compile(
    r'(<span class="math inline">(?:(?!</span>).)*</span>)([,.;:!?)]+)', re.DOTALL
)
_SCROLLS = 'tabindex="0" role="group" aria-label="{}"'
"""What is wider than a narrow page is scrolled by keyboard too."""

_TABLE = f'<div class="scroll" {_SCROLLS.format("Table")}><table class="args">\n'


@dataclass(frozen=True)
class Section:
    """A `##` section of a statement: its title in plain text and its body as HTML."""

    title: str
    html: Markup


def _math(tokens: Sequence[Token], idx: int, env: MutableMapping[str, Any]) -> str:
    """MathML of a formula; its TeX as code where it became none."""
    one = _formula(tokens[idx])
    made = env.get("formulas", {}).get(one)
    return str(made.mathml) if made and made.mathml else f"<code>{escape(one.tex)}</code>"


def _formula(token: Token) -> Formula:
    return Formula(str(token.content).strip(), token.type != "math_inline")


def _inline_math(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    idx: int,
    options: object,
    env: MutableMapping[str, Any],
) -> str:
    return f'<span class="math inline">{_math(tokens, idx, env)}</span>'


def _block_math(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    idx: int,
    options: object,
    env: MutableMapping[str, Any],
) -> str:
    math = _math(tokens, idx, env)
    return f'<div class="formula"><div {_SCROLLS.format("Formula")}>{math}</div></div>\n'


def _fence(
    renderer: RendererHTML, tokens: Sequence[Token], idx: int, options: object, env: object
) -> str:
    token = tokens[idx]
    language = token.info.strip()
    body = highlighted(token.content) if language == "python" else escape(token.content)
    label = "Code" if language == "python" else "Text"
    return f'<div class="code" tabindex="0" role="region" aria-label="{label}"><pre><code>{body}</code></pre></div>\n'  # noqa: E501


@lru_cache(maxsize=32)
def drawing(name: str) -> Markup | None:
    """One of our own drawings as SVG, or None where there is none of that name."""
    if PurePosixPath(name).name != name:
        return None
    file = place("templates") / "drawings" / f"{name}.svg"
    if not file.is_file():
        return None
    return Markup(file.read_text(encoding="utf-8"))  # noqa: S704 (a file of this project)


def _image(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    idx: int,
    options: object,
    env: MutableMapping[str, Any],
) -> str:
    token = tokens[idx]
    source, alternative = str(token.attrGet("src")), escape(token.content)
    if source.startswith("drawing:"):
        picture = drawing(source.removeprefix("drawing:"))
        if picture is None:
            return f"<em>{alternative}</em>"
        return f'<figure class="heads">{picture}<figcaption>{alternative}</figcaption></figure>'
    base = env.get("files", "")
    return f'<img src="{escape(base + source)}" alt="{alternative}" loading="lazy">'


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "typographer": True})
    parser.enable(["table", "smartquotes"])
    parser.use(dollarmath_plugin, allow_digits=False)
    parser.add_render_rule("math_inline", _inline_math)
    parser.add_render_rule("math_block", _block_math)
    parser.add_render_rule("math_block_label", _block_math)
    parser.add_render_rule("fence", _fence)
    parser.add_render_rule("code_block", _fence)
    parser.add_render_rule("image", _image)
    parser.add_render_rule("table_open", lambda *_: _TABLE)
    parser.add_render_rule("table_close", lambda *_: "</table></div>\n")
    return parser


_MARKDOWN = _parser()


def _dressed(tokens: list[Token]) -> list[Token]:
    """Lists in the page's class; a figure that stands alone is not wrapped in a paragraph."""
    for at, token in enumerate(tokens):
        if token.type == "bullet_list_open":
            token.attrSet("class", "bul")
        children = token.children or []
        if len(children) == 1 and children[0].type == "image":
            for edge in (tokens[at - 1], tokens[at + 1]):
                edge.hidden = edge.type.startswith("paragraph")
    return tokens


def _glued(html: str) -> Markup:
    """Let no line begin with the comma after a formula: browsers break there."""
    # Markup: the HTML is our own renderer's, and what is put around a sign is ours.
    return Markup(_MATH_AND_SIGN.sub(r'<span class="glued">\1\2</span>', html))  # noqa: S704


def _formulas(tokens: Iterable[Token]) -> Iterator[Formula]:
    """Those that the jail is asked for: what is over its bounds stays as it was written."""
    for token in tokens:
        yield from _formulas(token.children or ())
        if token.type.startswith("math_"):
            one = _formula(token)
            if len(one.tex) <= FORMULA_CHARACTERS and depth_of(one.tex) <= FORMULA_DEPTH:
                yield one


def _bounded(text: str) -> str:
    """The text as far as it is read: its parser takes longer than a long text is worth."""
    return shown(text, MARKDOWN_CHARACTERS)


class Markdown:
    """Authors' texts as HTML, each made once; `typeset` has the jail set their formulas.

    Where the jail is at fault, formulas are shown as they were written, and tried again.
    """

    def __init__(self, typeset: Typesetter) -> None:
        self._typeset = typeset
        self.faults = 0
        self._under_way = OneByOne()
        self._set: Remembered[Mapping[Formula, Typeset]] = Remembered(size=_length)
        self._texts: Remembered[Markup] = Remembered(size=len)
        self._inline: Remembered[Markup] = Remembered(size=len)
        self._sections: Remembered[tuple[Section, ...]] = Remembered(
            size=lambda sections: sum(len(section.html) for section in sections)
        )

    def rendered(self, text: str) -> Markup:
        """A whole text (a hint, an explanation) as HTML."""
        return self._made(self._texts, text, self._whole)

    def rendered_inline(self, text: str) -> Markup:
        """A sentence as HTML, without a paragraph around it."""
        return self._made(self._inline, text, self._sentence)

    def sections(self, text: str, files: str = "") -> tuple[Section, ...]:
        """The `##` sections of a statement, in order; `files` is where its pictures are served."""

        def made(formulas: Set, _: str) -> tuple[Section, ...]:
            return self._split(formulas, text, files)

        return self._made(self._sections, f"{files}\n{text}", made)

    def _made(self, kept: Remembered[T], text: str, make: Callable[[Set, str], T]) -> T:
        try:
            return kept.get(text, lambda text: make(self._of, text))
        except SandboxFault as fault:
            self.faults += 1
            log.error("formulas_not_set", reason=str(fault))
            return make(lambda _: {}, text)

    def _of(self, tokens: Iterable[Token]) -> Mapping[Formula, Typeset]:
        """What becomes of the formulas; who asks for the same at once waits for the first."""
        wanted = tuple(dict.fromkeys(_formulas(tokens)))
        if not wanted:
            return {}
        with self._under_way.of(repr(wanted)):
            return self._set.get(
                repr(wanted), lambda _: dict(zip(wanted, self._typeset(wanted), strict=True))
            )

    def _whole(self, formulas: Set, text: str) -> Markup:
        tokens = _dressed(_MARKDOWN.parse(_bounded(text), {}))
        return _html(tokens, {"formulas": formulas(tokens)})

    def _sentence(self, formulas: Set, text: str) -> Markup:
        tokens = _MARKDOWN.parseInline(_bounded(text).strip(), {})
        return _html(tokens, {"formulas": formulas(tokens)})

    def _split(self, formulas: Set, text: str, files: str) -> tuple[Section, ...]:
        tokens = _dressed(_MARKDOWN.parse(_bounded(text), {}))
        env = {"files": files, "formulas": formulas(tokens)}
        starts = [i for i, t in enumerate(tokens) if t.type == "heading_open" and t.tag == "h2"]
        found: list[Section] = []
        for start, end in zip(starts, [*starts[1:], len(tokens)], strict=True):
            title = "".join(child.content for child in tokens[start + 1].children or ())
            found.append(Section(title, _html(tokens[start + 3 : end], env)))
        return tuple(found)


def _html(tokens: Sequence[Token], env: MutableMapping[str, Any]) -> Markup:
    return _glued(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, env))


def _length(made: Mapping[Formula, Typeset]) -> int:
    return sum(len(formula.tex) + len(one.mathml) for formula, one in made.items())
