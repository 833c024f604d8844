"""Modes: a mistake by its file, its function and what it stands in for; and the files to load.

The trusted side only fills in names, in a module between the author's files and `composed.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.resources import files

from app.expectations.author_files import REFERENCE
from app.model import Execution, Exercise, Misconception, Parameter, Source

_COMPOSED = "composed.py"


@dataclass(frozen=True)
class Mode:
    """One mistake: the file and the name of its function, and the function it stands in for.

    One that is `alone` keeps its number, but its file is not loaded.
    """

    file: str
    function: str
    target: str
    alone: bool = False


def mode_of(one: Misconception, *, by_itself: bool = False) -> Mode:
    """The mode of a misconception of the library, to be loaded beside others or by itself."""
    name = one.slug.replace("-", "_")
    return Mode(f"mistakes/{one.area}.py", name, one.target, one.alone and not by_itself)


def sources_of(
    exercise: Exercise,
    helpers: Sequence[str],
    parameters: Sequence[Parameter],
    modes: Sequence[Mode],
) -> tuple[Source, ...]:
    """The files to load: the reference, the modes' files, their names, and what composes them."""
    paths = dict.fromkeys(mode.file for mode in modes if not mode.alone)
    own = [exercise.source(REFERENCE), *(exercise.source(path) for path in paths)]
    names = Source("names.py", _names(exercise.entry_point, helpers, parameters, modes).encode())
    text = files(__package__).joinpath(_COMPOSED).read_bytes()
    return (*own, names, Source(_COMPOSED, text))


def _names(
    entry: str, helpers: Sequence[str], parameters: Sequence[Parameter], modes: Sequence[Mode]
) -> str:
    """The module between an author's files and ours: what each is called, nothing else."""
    rights = ", ".join(f'"{name}": {name}' for name in helpers)
    known = ", ".join(
        '("", None)' if mode.alone else f'("{mode.target}", {mode.function})' for mode in modes
    )
    named = [p.name for p in parameters if p.name not in helpers]
    defaults = "".join(f"{p.default or 'None'}, " for p in parameters)
    places = "".join(f"    {p} = given[{_at(parameters, p)}]\n" for p in named)
    return (
        "import numpy as np\n"
        f"_entry = {entry!r}\n_right = {{{rights}}}\n_modes = [{known}]\n"
        f"_defaults = ({defaults})\n\n\n"
        f"def _put_names(now):\n    global {', '.join(helpers)}\n"
        + "".join(f'    {name} = now["{name}"]\n' for name in helpers)
        + "\n\ndef _put_arguments(arguments):\n"
        + (f"    global {', '.join(named)}\n" if named else "")
        + f"    given = (*arguments, *_defaults[len(arguments):])\n{places}"
    )


def _at(parameters: Sequence[Parameter], name: str) -> int:
    return [p.name for p in parameters].index(name)


def without_mode(execution: Execution) -> Execution:
    """An execution of `wrong` with the entry point's own arguments: without the mode's number."""
    after = execution.arguments
    return execution if after is None else replace(execution, arguments=after[1:])
