"""Misconceptions made by rule instead of by a function: they are seen in the source or the call.

The function has another name, another number of parameters, tabs mixed with spaces, and the starter
handed in as it was. Each is certain before it is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from app.grading.sentences.phrases import count, listed, shown
from app.model import Diagnosis, Exercise, FunctionInfo, Parameter, Problem

NEAR = 0.75
_BY_NAME = {"KEYWORD_ONLY": " by its name only"}
_WITH_DEFAULT_KINDS = ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD")


def near_name(wanted: str, functions: Sequence[FunctionInfo], n_arguments: int) -> str | None:
    """The one function that is most likely meant: by a name like the wanted one, else by its form.

    Without a near name, the only public function that takes `n_arguments` counts as meant.
    """
    plain = _plain(wanted)
    likeness = [(SequenceMatcher(None, plain, _plain(f.name)).ratio(), f.name) for f in functions]
    best = max(likeness, default=(0.0, ""))
    if best[0] >= NEAR:
        return best[1]
    fit = [f.name for f in functions if accepts(f.parameters, n_arguments)]
    return fit[0] if len(fit) == 1 and n_arguments > 1 else None


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def accepts(parameters: Sequence[Parameter], n_arguments: int) -> bool:
    """Whether a function of these parameters can be called with n arguments by position."""
    positional = [p for p in parameters if p.kind in _WITH_DEFAULT_KINDS]
    required = sum(p.default is None for p in positional)
    keyword_only = any(p.kind == "KEYWORD_ONLY" and p.default is None for p in parameters)
    has_rest = any(p.kind == "VAR_POSITIONAL" for p in parameters)
    enough = n_arguments <= len(positional) or has_rest
    return required <= n_arguments and enough and not keyword_only


def wrong_name(exercise: Exercise, meant: str) -> Diagnosis:
    """The function has another name than the entry point."""
    return Diagnosis(
        misconception="wrong-name",
        title="The function has another name",
        message=(
            f"There is no function `{exercise.entry_point}`. Is `{shown(meant, 60)}` meant to be "
            f"it? "
            f"Rename it: the tests call `{exercise.entry_point}`."
        ),
        hint=None,
        evidence=f"The tests call `{exercise.entry_point}`.",
    )


def wrong_parameters(
    exercise: Exercise, own: Sequence[Parameter], wanted: Sequence[Parameter]
) -> Diagnosis:
    """The entry point can't be called with the exercise's arguments."""
    names = [f"`{p.name}`" for p in wanted]
    mine = [f"`{shown(p.name, 60)}`{_BY_NAME.get(p.kind, '')}" for p in own]
    takes = f"Yours takes {listed(mine)}" if mine else "Yours takes none"
    return Diagnosis(
        misconception="wrong-number-of-parameters",
        title="The wrong number of parameters",
        message=(
            f"The tests call `{exercise.entry_point}` with {count(len(wanted), 'argument')}. "
            f"They pass {listed(names)}, by position. {takes}."
        ),
        hint=None,
        evidence="The signature in the starter code names them.",
    )


def mixed_tabs(source: bytes, problems: Iterable[Problem]) -> Diagnosis | None:
    """Tabs here and spaces there, where the source does not parse because of its indentation."""
    broken = [p for p in problems if p.about == "indentation"]
    lines = source.decode("utf-8", "replace").splitlines()
    indents = [line[: len(line) - len(line.lstrip(" \t"))] for line in lines if line.strip()]
    tabbed = [number for number, indent in enumerate(indents) if "\t" in indent]
    spaced = [number for number, indent in enumerate(indents) if " " in indent]
    if not broken or not tabbed or not spaced:
        return None
    return Diagnosis(
        misconception="mixed-tabs",
        title="Tabs mixed with spaces",
        message=(
            "Some lines are indented with tabs and others with spaces. They look alike in many "
            "editors, but not to Python. Use four spaces everywhere."
        ),
        hint=None,
        evidence=(
            f"{count(len(tabbed), 'line')} {'begins' if len(tabbed) == 1 else 'begin'} with a tab, "
            f"{count(len(spaced), 'line')} with spaces."
        ),
    )


def starter_unchanged(exercise: Exercise, source: bytes) -> Diagnosis | None:
    """The source is the starter, give or take empty lines and spaces at line ends."""
    starter = exercise.files.get("starter.py")
    if starter is None or _stripped(source) != _stripped(starter):
        return None
    return Diagnosis(
        misconception="starter-unchanged",
        title="The starter code, unchanged",
        message=(
            "This is still the starter code. Write the function's body where the comment says so, "
            "and return the output."
        ),
        hint=1 if exercise.hints else None,
        evidence="It equals the starter, line by line.",
    )


def _stripped(source: bytes) -> tuple[bytes, ...]:
    lines = source.removeprefix(b"\xef\xbb\xbf").expandtabs(4).splitlines()
    return tuple(line.rstrip() for line in lines if line.strip())
