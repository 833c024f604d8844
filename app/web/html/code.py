"""Python source as HTML, in the class names that the editor's colours use too."""

from __future__ import annotations

from functools import lru_cache

from markupsafe import Markup
from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, _TokenType

from app.grading.sentences.phrases import shown

_CLASSES = (
    (Keyword.Constant, "m"),
    (Keyword, "k"),
    (Operator.Word, "k"),
    (Name.Function, "f"),
    (Name.Class, "f"),
    (String, "s"),
    (Number, "m"),
    (Comment, "c"),
)
_LEXER = PythonLexer(stripnl=False, ensurenl=False)
_SPAN = Markup('<span class="{}">{}</span>').format


def _class(token: _TokenType) -> str | None:
    # `in` asks whether a token type is the other one or beneath it; its stubs say tuple of str.
    return next((name for kind, name in _CLASSES if token in kind), None)  # type: ignore[comparison-overlap]


@lru_cache(maxsize=256)
def highlighted(source: str) -> Markup:
    """The source with keywords, names, strings, numbers and comments marked; invisibles shown."""
    parts: list[Markup] = []
    for token, text in _LEXER.get_tokens(shown(source)):
        name = _class(token)
        parts.append(_SPAN(name, text) if name else Markup.escape(text))
    return Markup("").join(parts)
