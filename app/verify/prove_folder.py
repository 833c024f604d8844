"""The proof of a folder from its first file to its last mutant, in the order an author mends it."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from app.catalog import ExerciseError, ExerciseErrors
from app.catalog import folder as folders
from app.catalog.exercise import as_far_as_possible
from app.expectations import compute
from app.model import Exercise, Expectations
from app.model.bounds import PROOF_CPU_S
from app.ports import AuthorSandbox, Sandbox
from app.verify import (
    draws,
    ladder,
    legal,
    mistakes,
    pairs,
    placeholders,
    programs,
    repeats,
    rounding,
    seeds,
    settable,
    statement_numbers,
    statement_pictures,
    variants,
)
from app.verify.lines_in_files import line_of
from app.verify.proof import Complaint, Proof
from app.verify.trial import REFERENCE, MeteredProof, Trial

FOLDERS_AT_ONCE = 2
CHILDREN_AT_ONCE = 4
MARK = re.compile(r"FILL IN\b(?: \d+ of \d+)?")
"""What `mlgrind new` leaves where an author has to write."""


Check = Callable[[Trial], Iterator[Complaint]]

CHECKS: tuple[tuple[str, Check], ...] = (
    ("Six cases, all different", repeats.distinct),
    ("Cases and reference give the same twice", repeats.deterministic),
    ("No hidden test is drawn from a seed that is shown", seeds.apart),
    ("The reference gives nan only where the statement says so", repeats.finite),
    ("Every axis has a name", repeats.axes),
    ("The trace example has all sizes different", repeats.trace),
    ("The reference is accepted", programs.reference),
    ("The starter loads and is not accepted", programs.starter),
    ("Every other right solution is accepted, none diagnosed", programs.accepted),
    ("Draws are legal, and the same every time", draws.faults),
    ("Every other right solution is right on every draw", draws.accepted),
    ("Draws reach all that is legal, and nothing else", legal.reached),
    ("Every claimed number is what its expression gives", statement_numbers.claims),
    ("Every number of the statement is recomputed", statement_numbers.statement),
    ("No hint before the last two holds a line of the solution", ladder.hints),
    ("Every follow-up formula gives numbers", ladder.follow_ups),
    ("The stages end in the output", ladder.stages),
    ("The stages' axes have names that fit", statement_pictures.stage_axes),
    ("Every cell of a probe can be told apart", statement_pictures.probe),
    ("No two mistakes together are told as others", pairs.named),
    ("Two mistakes together that pass the tests pass every draw", pairs.caught),
    ("Every picture is there and has its words", statement_pictures.statement),
    ("Every formula can be set", settable.can_be_set),
)
"""What is checked before mistakes and mutants, each with the words for "it holds"."""


class ProofProgress(Protocol):
    """Told how far a proof is; called from several threads."""

    def __call__(self, slug: str, done: int, total: int) -> None:
        """`done` of `total` steps of the folder `slug` are behind us."""


def silent(slug: str, done: int, total: int) -> None:
    """Progress that is not shown."""


@dataclass(frozen=True)
class Means:
    """What folders are proved with.

    `drawings` are the names of our own, where they are known; `holes` sources by exercise that were
    accepted once and were off on a random input; `compute` says what is expected of an exercise.
    With `all_sets` every kept pair is put together once more, else a sample of them.
    """

    sandbox: AuthorSandbox
    drawings: frozenset[str] = frozenset()
    holes: Mapping[str, tuple[bytes, ...]] = field(default_factory=dict)
    compute: Callable[[Exercise, Sandbox], Expectations] = compute
    all_sets: bool = False


def prove_all(
    folders: Sequence[Path], means: Means, progress: ProofProgress = silent
) -> Iterator[Proof]:
    """The proof of each folder, in order, several worked on at once. SandboxFault passes."""
    with (
        ThreadPoolExecutor(FOLDERS_AT_ONCE) as outer,
        ThreadPoolExecutor(CHILDREN_AT_ONCE) as inner,
    ):
        yield from outer.map(lambda folder: _prove(folder, means, inner, progress), folders)


def prove(folder: Path, means: Means, progress: ProofProgress = silent) -> Proof:
    """The proof of one folder. SandboxFault passes, for it is ours and not the author's.

    >>> from app.sandbox.pool import LocalSandbox
    >>> sandbox = LocalSandbox()
    >>> proof = prove(Path("exercises/not-there"), Means(sandbox))
    >>> proof.ok, proof.complaints[0].message
    (False, "can't be read: No such file or directory. Check that it is a folder we may read.")
    >>> sandbox.close()
    """
    return next(prove_all([folder], means, progress))


def _prove(folder: Path, means: Means, executor: Executor, progress: ProofProgress) -> Proof:
    began = time.monotonic()
    folder = folder.resolve()
    proof = Proof(folder.name, str(folder))
    early = (*_unfilled(_files(folder)), *placeholders.left(_files(folder)))
    try:
        exercise, errors = as_far_as_possible(folder)
        unfilled = early
        early = (*early, *located(folder, ExerciseErrors(errors)))
        if exercise is None or unfilled:
            return replace(proof, complaints=early)
        proof = replace(proof, digest=exercise.digest, title=exercise.title)
        expectations = means.compute(exercise, means.sandbox)
    except ExerciseErrors as others:
        return replace(proof, complaints=(*early, *located(folder, others)))
    jail = MeteredProof(exercise, means.sandbox, PROOF_CPU_S * (4 if means.all_sets else 1))
    trial = Trial(exercise, expectations, jail, executor, means.drawings, means.all_sets)
    found = list(early)
    try:
        proof = _proved(trial, proof, progress, found)
        found += draws.still_open(trial, proof.kills, means.holes.get(exercise.slug, ()))
    except ExerciseErrors as over:
        found += located(folder, over)
    found += _changed(exercise.files, _files(folder))
    return replace(proof, complaints=tuple(found), seconds=time.monotonic() - began)


def _changed(proved: Mapping[str, bytes], now: Mapping[str, bytes]) -> Iterator[Complaint]:
    """The files that are not what was proved: a proof says nothing of what came after it began."""
    for file in sorted({*proved, *now}):
        if proved.get(file) != now.get(file):
            yield Complaint(file, "changed while it was checked. Check the folder again.")


def _proved(trial: Trial, proof: Proof, progress: ProofProgress, found: list[Complaint]) -> Proof:
    """The proof without its complaints, which go to `found` one by one; see `Metered.run`."""
    mutants = trial.sandbox.mutants(trial.exercise.source(REFERENCE))
    steps = _Steps(proof.slug, len(CHECKS) + 1 + len(mutants), progress)
    passed = []
    for words, check in CHECKS:
        before = len(found)
        found.extend(check(trial))
        passed += [] if len(found) > before else [words]
        steps.tick()
    table = mistakes.kills(trial)
    steps.tick()
    alive = draws.weighed(trial, variants.survivors(trial, mutants, steps.tick))
    found += mistakes.complaints(trial, table)
    found += variants.complaints(trial, mutants, alive, table)
    return replace(
        proof,
        passed=tuple(passed),
        advice=(*draws.advice(trial), *rounding.advice(trial)),
        sets=tuple(pairs.notes(trial)),
        tests=tuple(test.name for test in trial.expectations.tests),
        kills=table,
        mutants=len(mutants),
        survivors=alive,
    )


class _Steps:
    """Counts what is done of one folder, from several threads."""

    def __init__(self, slug: str, total: int, progress: ProofProgress) -> None:
        self._slug, self._total, self._progress = slug, total, progress
        self._done = 0
        self._lock = threading.Lock()

    def tick(self) -> None:
        """One more step is done."""
        with self._lock:
            self._done += 1
            done = self._done
        self._progress(self._slug, done, self._total)


def _unfilled(files: Mapping[str, bytes]) -> Iterator[Complaint]:
    """The places of a new folder that still wait for their author."""
    for file, data in files.items():
        if not file.endswith((".py", ".md", ".toml")):
            continue
        for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
            mark = MARK.search(line)
            if mark is not None:
                message = f"waits for you: {mark.group()}. Write what it says and delete the mark."
                yield Complaint(file, message, "", number)


def located(folder: Path, errors: ExerciseErrors) -> tuple[Complaint, ...]:
    """The complaints of catalog and expectations, each with its line where it can be found."""
    files = _files(folder)
    return tuple(_located(files.get(e.file, b""), e) for e in errors.errors)


def _files(folder: Path) -> Mapping[str, bytes]:
    """What can be read of a folder, however broken it is."""
    try:
        return folders.regular_files(folder)[0]
    except OSError:
        return {}


def _located(data: bytes, error: ExerciseError) -> Complaint:
    line = error.line or line_of(data, error.file, error.key)
    return Complaint(error.file, error.message, error.key, line)
