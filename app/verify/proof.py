"""What `mlgrind check` finds out about one exercise folder: complaints, kill table, mutants."""

from __future__ import annotations

from dataclasses import dataclass

from app.model import EquivalentMutant, Misconception, Mutant, Report, TestCase, TestResult, Verdict

LETTERS = {
    "V": "values",
    "S": "shape",
    "N": "not finite",
    "E": "exception",
    "T": "type",
    "D": "dtype",
    "C": "arguments changed",
    "0": "None",
    "L": "limit",
    "·": "not caught here",
}
"""How a test case catches a mistake, a letter each."""

LEAST_RUNS = 8
"""A line that fewer draws run than this is not tried enough to call a change of it equivalent."""

MISSED = "·"
_MISMATCHES = {
    "values": "V",
    "shape": "S",
    "not_finite": "N",
    "type": "T",
    "dtype": "D",
    "arguments_changed": "C",
}


@dataclass(frozen=True)
class Complaint:
    """One thing to fix: the file and line, the key or function there, and what to do."""

    file: str
    message: str
    key: str = ""
    line: int | None = None

    def __str__(self) -> str:
        where = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{where}: {self.key}: {self.message}" if self.key else f"{where}: {self.message}"


@dataclass(frozen=True)
class Kill:
    """How the six cases meet one mistake, and the report its learner would get.

    `letters` has one of LETTERS a test; `note` says with whom it is declared the same. `provable`:
    it gives finite numbers enough to be named by.
    """

    misconception: Misconception
    letters: tuple[str, ...]
    report: Report
    note: str = ""
    provable: bool = True

    @property
    def caught(self) -> bool:
        """Whether at least one case tells it from the reference."""
        return any(letter != MISSED for letter in self.letters)

    @property
    def named(self) -> bool:
        """Whether the grader diagnoses it as itself or as the one that stands for its group."""
        diagnosis = self.report.diagnosis
        return diagnosis is not None and diagnosis.misconception == self.misconception.same


@dataclass(frozen=True)
class Survivor:
    """A mutant of the reference that passes all tests; `why` where its author declared it.

    `hole` is the smallest draw that tells it from the reference, `runs` how many draws run its
    line: None and 0 where the exercise has no draws.
    """

    mutant: Mutant
    declared: EquivalentMutant | None
    hole: TestCase | None = None
    runs: int = 0

    @property
    def why(self) -> str:
        """The author's reason; else what the draws say; "" where neither speaks for it."""
        if self.declared is not None:
            return self.declared.why
        return f"{self.runs} draws run this line, and none differs" if self.by_evidence else ""

    @property
    def by_evidence(self) -> bool:
        """Whether draws ran its line often enough, and found no difference."""
        return self.hole is None and self.runs >= LEAST_RUNS


@dataclass(frozen=True)
class Proof:
    """The result for one folder; without complaints the exercise is proved.

    `passed` are the checks that held, in words; `advice` is what would prove more,
    `sets` what is worth knowing of mistakes made at once. A folder that
    does not load has complaints only.
    """

    slug: str
    folder: str
    digest: str = ""
    title: str = ""
    complaints: tuple[Complaint, ...] = ()
    passed: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    kills: tuple[Kill, ...] = ()
    mutants: int = 0
    survivors: tuple[Survivor, ...] = ()
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether there is nothing to complain about."""
        return not self.complaints

    @property
    def named(self) -> int:
        """How many mistakes are caught and named."""
        return sum(kill.caught and kill.named for kill in self.kills)

    @property
    def unnamed(self) -> int:
        """How many are caught, but by nan, an exception or a type: too little for a name."""
        return sum(kill.caught and not kill.provable for kill in self.kills)

    @property
    def equivalent(self) -> int:
        """How many mutants survive for a declared reason, or since no draw tells them apart."""
        return sum(one.hole is None and bool(one.why) for one in self.survivors)


def letter(result: TestResult) -> str:
    """The letter of one test result."""
    if result.verdict is Verdict.ACCEPTED:
        return MISSED
    if result.mismatch is not None:
        is_none = result.mismatch.kind == "type" and result.mismatch.got_type == "None"
        return "0" if is_none else _MISMATCHES[result.mismatch.kind]
    return "E" if result.verdict is Verdict.RUNTIME_ERROR else "L"
