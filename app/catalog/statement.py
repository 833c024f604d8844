"""A statement as learners read it: the author's text, with `[legal]` in its Inputs section."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from app.model import Exercise, Legal, Span

_END_OF_INPUTS = re.compile(r"^## Inputs\b.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_FLOAT32_MAX = 3.4028234663852886e38


def full_statement(exercise: Exercise) -> str:
    """The statement in Markdown, its Inputs section followed by what is legal.

    As the author wrote it where the exercise has no `[legal]`.
    """
    arrays = [name for name in exercise.axes if name != "return"]
    lines = [] if exercise.legal is None else list(_lines(exercise.legal, arrays))
    if not lines:
        return exercise.statement
    added = "\n".join(f"- {line}" for line in lines)

    def with_legal(section: re.Match[str]) -> str:
        return f"{section[0].rstrip()}\n\nAny legal input may be tested:\n\n{added}\n\n"

    return _END_OF_INPUTS.sub(with_legal, exercise.statement, count=1)


def _lines(legal: Legal, arrays: list[str]) -> Iterator[str]:
    """What is legal, one thought a line."""
    for (least, greatest), names in _alike(legal.sizes).items():
        each = " each" if len(names) > 1 else ""
        yield f"{_joined(names)}: from {least} to {greatest:,}{each}."
    for relation in legal.relations:
        yield f"`{relation}`."
    for name, span in legal.ranks.items():
        yield f"`{name}` has {span.least} to {span.greatest} axes."
    for name, options in legal.options.items():
        yield f"`{name}` is {_joined(map(_option, options), 'or')}."
    if arrays:
        yield f"{_dtypes(legal, arrays)}."
    if legal.minus_infinity:
        yield f"-inf may stand in {_joined(f'`{name}`' for name in legal.minus_infinity)}."
    if legal.largest is not None:
        most = "float32 can hold" if legal.largest == _FLOAT32_MAX else f"{legal.largest:g}"
        yield f"No number is larger in size than {most}."


def _alike(sizes: Mapping[str, Span]) -> dict[tuple[int, int], list[str]]:
    """The names of sizes that have the same bounds."""
    found: dict[tuple[int, int], list[str]] = {}
    for name, span in sizes.items():
        found.setdefault((span.least, span.greatest), []).append(f"`{name}`")
    return found


def _option(option: object) -> str:
    return {
        "left out": "left out",
        "None": "`None`",
        "array": "an array",
        "number": "a number",
    }.get(str(option), f'`"{option}"`' if isinstance(option, str) else f"`{option}`")


def _dtypes(legal: Legal, arrays: list[str]) -> str:
    named = [f"`{name}` is {_joined(dtypes, 'or')}" for name, dtypes in legal.dtypes.items()]
    if len(named) == len(arrays):
        return "; ".join(named)
    return "; ".join(
        (*named, "every other array is float64" if named else "Every array is float64")
    )


def _joined(items: Iterable[str], last: str = "and") -> str:
    """a, b and c"""
    texts = list(items)
    return f" {last} ".join(filter(None, [", ".join(texts[:-1]), texts[-1]])) if texts else ""
