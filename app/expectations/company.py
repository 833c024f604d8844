"""Files of mistakes/ that load by themselves, but not beside the others.

Their mistakes are named alone, never beside another; the author is told the line that fails.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from app.expectations.author_files import Author, ended
from app.expectations.modes import Mode, mode_of, sources_of
from app.model import Lane, LeftOut, Misconception, Order, Parameter, Ran


def in_company(
    author: Author,
    helpers: Sequence[str],
    parameters: Sequence[Parameter],
    misconceptions: Sequence[Misconception],
) -> tuple[tuple[Misconception, ...], tuple[LeftOut, ...]]:
    """The misconceptions, marked `alone` where their file fails in company; and these, told of."""

    def load(modes: Sequence[Mode]) -> Ran:
        sources = sources_of(author.exercise, helpers, parameters, modes)
        return author.attempt(Order(sources, (), author.exercise.limits, Lane.AUTHOR))

    modes = [mode_of(one) for one in misconceptions]
    failed = {} if not modes or _loads(load(modes)) else _failed(modes, load)
    marked = tuple(
        replace(one, alone=mode.file in failed)
        for one, mode in zip(misconceptions, modes, strict=True)
    )
    complaints = tuple(
        _complaint(one, mode.file, failed[mode.file])
        for one, mode in zip(misconceptions, modes, strict=True)
        if mode.file in failed
    )
    return marked, complaints


def _failed(modes: Sequence[Mode], load: Callable[[Sequence[Mode]], Ran]) -> dict[str, Ran]:
    """The files that do not load after those before them that do, with how they ended."""
    kept: list[Mode] = []
    failed: dict[str, Ran] = {}
    for file in dict.fromkeys(mode.file for mode in modes):
        own = [mode for mode in modes if mode.file == file]
        ran = load([*kept, *own])
        if _loads(ran):
            kept += own
        else:
            failed[file] = ran
    return failed


def _loads(ran: Ran) -> bool:
    return not ran.problems and ran.loading.ended == "returned"


def _complaint(one: Misconception, file: str, ran: Ran) -> LeftOut:
    raised = ran.loading.raised
    frames = [frame for frame in (raised.frames if raised else ()) if frame.file == file]
    reason = (
        f"does not load once all of mistakes/ is loaded: {ended(ran.loading)}. It is named alone,"
        " and never beside another."
    )
    return LeftOut(one.slug, reason, frames[-1].line if frames else None)
