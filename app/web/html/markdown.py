"""An exercise's Markdown as HTML: formulas as MathML, code coloured, our own drawings inlined.

HTML in the Markdown is text. A formula that does not parse stays readable as its source.
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape
from math_core import LatexError, LatexToMathML
from mdit_py_plugins.dollarmath import dollarmath_plugin

from app.catalog.formulas import depth_of
from app.grading.sentences.phrases import shown
from app.model.bounds import FORMULA_CHARACTERS, FORMULA_DEPTH, MARKDOWN_CHARACTERS
from app.places import place
from app.web.html.code import highlighted
from app.web.html.remembered import Remembered

_MATH_AND_SIGN = re.compile(
    r'(<span class="math inline">(?:(?!</span>).)*</span>)([,.;:!?)]+)', re.DOTALL
)
_LATEX = LatexToMathML(annotation=False, fancy_error=False)
_SCROLLS = 'tabindex="0" role="group" aria-label="{}"'
"""What is wider than a narrow page is scrolled by keyboard too."""

_TABLE = f'<div class="scroll" {_SCROLLS.format("Table")}><table class="args">\n'


@dataclass(frozen=True)
class Section:
    """A `##` section of a statement: its title in plain text and its body as HTML."""

    title: str
    html: Markup


def formula(tex: str, *, display: bool) -> str:
    """MathML of a formula; where it does not parse or is over its bounds, its TeX as code.

    The parser is native code that calls itself for every level: what is nested deeply ends the
    process, so it is not asked.
    """
    if len(tex) > FORMULA_CHARACTERS or depth_of(tex) > FORMULA_DEPTH:
        return f"<code>{escape(tex)}</code>"
    try:
        return _LATEX.convert_with_local_state(tex.strip(), displaystyle=display)
    except LatexError:
        return f"<code>{escape(tex)}</code>"


def _math(tex: str, options: dict[str, Any]) -> str:
    return formula(tex, display=bool(options["display_mode"]))


def _block_math(
    renderer: RendererHTML, tokens: Sequence[Token], idx: int, options: object, env: object
) -> str:
    math = formula(tokens[idx].content, display=True)
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
    parser.use(dollarmath_plugin, renderer=_math, allow_digits=False)
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


def _html(tokens: list[Token], env: dict[str, str]) -> Markup:
    return _glued(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, env))


def _glued(html: str) -> Markup:
    """Let no line begin with the comma after a formula: browsers break there."""
    # Markup: the HTML is our own renderer's, and what is put around a sign is ours.
    return Markup(_MATH_AND_SIGN.sub(r'<span class="glued">\1\2</span>', html))  # noqa: S704


_kept: Remembered[Markup] = Remembered(size=len)
_kept_inline: Remembered[Markup] = Remembered(size=len)
_kept_sections: Remembered[tuple[Section, ...]] = Remembered(
    size=lambda sections: sum(len(section.html) for section in sections)
)


def rendered(text: str) -> Markup:
    """A whole text (a hint, an explanation) as HTML."""
    return _kept.get(text, _rendered)


def _rendered(text: str) -> Markup:
    env: dict[str, str] = {}
    return _html(_dressed(_MARKDOWN.parse(_bounded(text), env)), env)


def rendered_inline(text: str) -> Markup:
    """A sentence as HTML, without a paragraph around it."""
    return _kept_inline.get(text, _rendered_inline)


def _rendered_inline(text: str) -> Markup:
    return _glued(_MARKDOWN.renderInline(_bounded(text).strip()))


def _bounded(text: str) -> str:
    """The text as far as it is read: its parser takes longer than a long text is worth."""
    return shown(text, MARKDOWN_CHARACTERS)


def sections(text: str, files: str = "") -> tuple[Section, ...]:
    """The `##` sections of a statement, in order; `files` is where its pictures are served."""
    return _kept_sections.get(f"{files}\n{text}", lambda _: _sections(text, files))


def _sections(text: str, files: str) -> tuple[Section, ...]:
    env = {"files": files}
    tokens = _dressed(_MARKDOWN.parse(_bounded(text), env))
    starts = [i for i, t in enumerate(tokens) if t.type == "heading_open" and t.tag == "h2"]
    found: list[Section] = []
    for start, end in zip(starts, [*starts[1:], len(tokens)], strict=True):
        title = "".join(child.content for child in tokens[start + 1].children or ())
        found.append(Section(title, _html(tokens[start + 3 : end], env)))
    return tuple(found)
