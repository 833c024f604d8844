"""`mlgrind check`: exercise folders proved, with their kill tables and all there is to fix."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli import common
from app.cli.common import NOT_ACCEPTED, Exercises, our_faults, printable, settings_with, stop
from app.cli.watching import check_again

if TYPE_CHECKING:
    from app.config import Settings
    from app.verify import Kill, Means, Proof
    from app.verify.prove_folder import ProofProgress

EXAMPLE = "Example, for one exercise while you write it: mlgrind check --watch my-exercise"


def check(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help="Exercises by slug, or folders by path; all there are unless given.",
            metavar="[SLUG]...",
            show_default=False,
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON proof a line.")] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Check again whenever it changes, and say what did.")
    ] = False,
    from_holes: Annotated[
        bool,
        typer.Option(
            "--from-holes", help="Also prove that what `mlgrind holes` lists is not accepted."
        ),
    ] = False,
    all_sets: Annotated[
        bool,
        typer.Option("--all-sets", help="Put every two mistakes together, not a sample of them."),
    ] = False,
    exercises: Exercises = None,
) -> None:
    """Prove exercises: reference, test cases, mistakes, mutants, numbers, hints, stages.

    Exit status: 0: all proved; 1: something to fix; 2: a usage error or our own fault.
    """
    settings = settings_with(exercises=exercises)
    folders = _folders(settings, names or [])
    holes = _known_holes(settings) if from_holes else {}
    with our_faults(), _means(holes, all_sets=all_sets) as means:
        if watch:
            good = check_again(
                folders, partial(_check, means=means, as_json=as_json), tell=not as_json
            )
        else:
            good = _check(folders, means, as_json=as_json)
    raise SystemExit(0 if good else NOT_ACCEPTED)


def _folders(settings: Settings, names: list[str]) -> list[Path]:
    from app.main import build_catalog

    known = build_catalog(settings).folders()
    if not names:
        return list(known) or stop("There is no exercise folder. Name one, or a directory of them.")
    return [_folder(name, known) for name in names]


def _folder(name: str, known: tuple[Path, ...]) -> Path:
    """By slug, first one first; else by path. Exits with status 2 where there is neither."""
    import difflib

    found = next((folder for folder in known if folder.name == name), None)
    if found is not None:
        return found
    if Path(name).is_dir():
        return Path(name)
    near = difflib.get_close_matches(name, [folder.name for folder in known], 1)
    hint = f" Did you mean {near[0]}?" if near else ""
    stop(f"{name!r} is neither an exercise nor a folder.{hint}")


def _known_holes(settings: Settings) -> dict[str, tuple[bytes, ...]]:
    """Sources by exercise that were accepted, and were off on a random input."""
    store = common.open_store(settings)
    try:
        found: dict[str, tuple[bytes, ...]] = {}
        for hole in store.looks.holes():
            if hole.source is not None:
                found[hole.exercise] = (*found.get(hole.exercise, ()), hole.source)
        return found
    finally:
        store.close()


@contextmanager
def _means(holes: dict[str, tuple[bytes, ...]], *, all_sets: bool) -> Iterator[Means]:
    from dataclasses import replace

    from app.main import build_sandbox, means

    sandbox = build_sandbox()
    try:
        yield replace(means(sandbox), holes=holes, all_sets=all_sets)
    finally:
        sandbox.close()


def _check(folders: list[Path], means: Means, *, as_json: bool) -> bool:
    from app.verify import prove_all, to_json

    good = True
    with _progress() as progress:
        for proof in prove_all(folders, means, progress):
            good = good and proof.ok
            print(json.dumps(to_json(proof)) if as_json else _text(proof), flush=True)
    return good


@contextmanager
def _progress() -> Iterator[ProofProgress]:
    """A bar a folder on a terminal's error output; nothing elsewhere."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn
    from rich.progress import Progress as Bars

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    bars = Bars(*columns, console=Console(stderr=True), transient=True)
    tasks: dict[str, TaskID] = {}

    def tell(slug: str, done: int, total: int) -> None:
        if slug not in tasks:
            tasks[slug] = bars.add_task(printable(slug), total=total)
        bars.update(tasks[slug], completed=done, visible=done < total)

    bars.disable = not bars.console.is_terminal
    with bars:
        yield tell


# ------------------------------------------------------------------ words


def _text(proof: Proof) -> str:
    """A proof for people: the headline, the kill table, the mutants, and what to fix."""
    lines = [_headline(proof), *_table(proof), *_survivors(proof)]
    lines += [f"  {complaint}" for complaint in proof.complaints]
    lines += [f"  {told}" for told in proof.sets]
    lines += [f"  advice: {advice}" for advice in proof.advice]
    return printable("\n".join(lines))


def _headline(proof: Proof) -> str:
    count = len(proof.complaints)
    if count:
        end = "1 thing to fix" if count == 1 else f"{count} things to fix"
        return f"✗ {proof.slug}: {end}, in {proof.folder}"
    caught = proof.mutants - len(proof.survivors)
    unnamed = f", {proof.unnamed} caught without a name" if proof.unnamed else ""
    return (
        f"✓ {proof.slug}: proved in {proof.seconds:.1f} s. {proof.named} of {len(proof.kills)}"
        f" mistakes caught and named{unnamed}; {caught} of {proof.mutants} mutants caught,"
        f" {proof.equivalent} equivalent."
    )


def _table(proof: Proof) -> Iterable[str]:
    """The kill table: a row a mistake, a letter a test."""
    from app.verify import LETTERS

    if not proof.kills:
        return
    width = max(len(kill.misconception.slug) for kill in proof.kills) + 4
    for number, test in enumerate(proof.tests, 1):
        yield f"    {number} {test}"
    yield "    " + ", ".join(f"{letter} {meaning}" for letter, meaning in LETTERS.items())
    for area, rows in groupby(proof.kills, key=_area):
        heads = " ".join(str(number) for number in range(1, len(proof.tests) + 1))
        yield f"  {area:<{width}}{heads}"
        for kill in rows:
            mark = "" if kill.caught and (kill.named or not kill.provable) else "  ←"
            note = f"  {kill.note}" if kill.note else ""
            yield f"    {kill.misconception.slug:<{width - 2}}{' '.join(kill.letters)}{note}{mark}"


def _area(kill: Kill) -> str:
    return kill.misconception.area


def _survivors(proof: Proof) -> Iterable[str]:
    for survivor in proof.survivors:
        if survivor.why and survivor.hole is None:
            mutant = survivor.mutant
            how = "equivalent" if survivor.declared else "equivalent by evidence"
            yield f"  {how}: line {mutant.line}, {mutant.change}: {survivor.why}"
