"""Every kind of fault an exercise folder can have, each one change away from a sound folder."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from tests.sandbox.formulas import DEEP
from tests.verify.changes import MISTAKE, SHORT, Change, add, both, drop, mistake, put, swap

BROKEN = Path(__file__).parents[1] / "exercises_broken"
SOUND = BROKEN / "sound" / "weighted-mean"


def _complaints() -> dict[str, str]:
    """The complaint of each fault: its name on one line, the complaint on the next, indented."""
    lines = (BROKEN / "complaints.txt").read_text().splitlines()
    return dict(zip(lines[::2], map(str.strip, lines[1::2]), strict=True))


COMPLAINTS = _complaints()


@dataclass(frozen=True)
class Fault:
    """One change to the sound folder."""

    name: str
    change: Change

    @property
    def complaint(self) -> str:
        """What must be said of it, by complaints.txt; "…" stands for any text."""
        return COMPLAINTS[self.name]


def broken(fault: Fault, directory: Path) -> Path:
    """A copy of the sound folder with the fault in it."""
    folder = directory / SOUND.name
    shutil.copytree(SOUND, folder)
    renamed = fault.change(folder)
    return renamed if isinstance(renamed, Path) else folder


def says(pattern: str, complaint: str) -> bool:
    """Whether a complaint reads as a pattern in which "…" stands for any text."""
    return re.fullmatch(".+".join(map(re.escape, pattern.split("…"))), complaint) is not None


def _many(folder: Path) -> None:
    for number in range(101):
        (folder / f"note{number}.txt").write_text("x")


def _fill(path: Path, length: int) -> None:
    """Make a file so long by a comment."""
    text = path.read_text() + "\n#"
    path.write_text(text + "x" * (length - len(text.encode())))


def _of_shares(name: str, value: str) -> str:
    """One more way to get the shares wrong, which goes with any other mistake."""
    text = MISTAKE.format(name=name, body=f"return {value}", more="")
    return text.replace("(x, w):", "(w):").replace("A title", f"Shares {name}")


FAULTS: tuple[Fault, ...] = (
    # files
    Fault("a file is missing", drop("hints.md")),
    Fault("a link", lambda f: (f / "notes.md").symlink_to("/etc/passwd")),
    Fault("a pipe", lambda f: os.mkfifo(f / "pipe")),
    Fault("too deep", lambda f: (f / "accepted" / "old").mkdir()),
    Fault("too large", put("picture.png", b"x" * (1024 * 1024 + 1))),
    Fault("a strange name", put("a b.txt", "x")),
    Fault("too many files", _many),
    Fault("no Python in accepted", put("accepted/notes.txt", "x")),
    Fault("a folder that is no slug", lambda f: f.rename(f.parent / "Weighted Mean")),
    Fault("a place to fill", add("statement.md", "\nFILL IN 1 of 4: say it\n")),
    # exercise.toml
    Fault("no TOML", add("exercise.toml", "\n= 1\n")),
    Fault("TOML that is nested too deeply", add("exercise.toml", "\nx = " + "[" * 5_000)),
    Fault("TOML that is too long", lambda f: _fill(f / "exercise.toml", 128 * 1024 + 1)),
    Fault("TOML with a key of many parts", add("exercise.toml", "\na" + ".a" * 60_000 + " = 1\n")),
    Fault("TOML with a number too long", add("exercise.toml", "\nx = " + "9" * 5_000)),
    Fault("a misspelled key", swap("exercise.toml", "section =", "sektion =")),
    Fault("a missing key", swap("exercise.toml", 'title = "Weighted Mean"', "")),
    Fault("a text for a number", swap("exercise.toml", "order = 1", 'order = "1"')),
    Fault("a level there is not", swap("exercise.toml", '"easy"', '"simple"')),
    Fault("a tolerance out of bounds", swap("exercise.toml", "1e-5", "1.0")),
    Fault("an address that is none", swap("exercise.toml", "https://example.org", "example")),
    Fault("no visible test", swap("exercise.toml", '["worked_example"]', "[]")),
    Fault("no Python name", swap("exercise.toml", '"weighted_mean"', '"weighted mean"')),
    Fault("an unknown visible test", swap("exercise.toml", '["worked_example"]', '["worked"]')),
    Fault("an unknown trace", swap("exercise.toml", '"all_sizes_differ"', '"nothing"')),
    Fault("an unknown example", swap("exercise.toml", 'case = "worked_', 'case = "good_')),
    Fault(
        "an axis of no argument",
        swap("exercise.toml", 'w = ["seq_len"]', 'v = ["n"]\nw = ["seq_len"]'),
    ),
    Fault("an argument without axes", swap("exercise.toml", 'w = ["seq_len"]\n', "")),
    Fault("too many axes", swap("exercise.toml", 'w = ["seq_len"]', 'w = ["seq_len", "one"]')),
    Fault("axes that are no list", swap("exercise.toml", 'w = ["seq_len"]', "w = 1")),
    Fault("a size of nothing", swap("exercise.toml", '"2 * d_model"', '"2 * d_k"')),
    Fault("a size that can't be read", swap("exercise.toml", '"2 * d_model"', '"2 *"')),
    Fault("heads of no axis", swap("exercise.toml", 'axis = "d_model"', 'axis = "d_v"')),
    Fault("heads of no count", swap("exercise.toml", 'count = "seq_len"', 'count = "H"')),
    Fault("an empty text", swap("exercise.toml", '"Weighted Mean"', '""')),
    Fault("a text for a tolerance", swap("exercise.toml", "1e-5", '"small"')),
    Fault(
        "a number for yes", swap("exercise.toml", "order = 1", "order = 1\narguments_unchanged = 1")
    ),
    Fault("a text for a list", swap("exercise.toml", '["worked_example"]', '"worked_example"')),
    Fault(
        "a text for a table",
        both(
            swap("exercise.toml", '[heads]\naxis = "d_model"\ncount = "seq_len"', ""),
            swap("exercise.toml", "order = 1", "order = 1\nheads = 1"),
        ),
    ),
    Fault("one table for many", swap("exercise.toml", "[[source]]", "[source]")),
    Fault("a size with a division", swap("exercise.toml", '"2 * d_model"', '"d_model % 2"')),
    # Markdown
    Fault("a heading of spaces", add("statement.md", "\n## a" + " " * 400_000 + "x\n")),
    Fault("not UTF-8", put("statement.md", b"## Formula\n\xff")),
    Fault("a section is missing", swap("statement.md", "## Constraints", "## Limits")),
    Fault(
        "sections out of order",
        both(
            swap("statement.md", "## Formula", "## F"),
            swap("statement.md", "## Background", "## Formula"),
            swap("statement.md", "## F\n", "## Background\n"),
        ),
    ),
    Fault("a hint too many", add("hints.md", "\n## More\n\nMore.\n\n## Most\n\nMost.\n")),
    Fault(
        "words of the draft",
        add("statement.md", "\nSay in a few lines where this is used and why it works.\n"),
    ),
    Fault("an empty hint", swap("hints.md", "What does a weight of zero do?", "")),
    Fault(
        "text before the hints",
        lambda f: (f / "hints.md").write_text("Hi\n\n" + (f / "hints.md").read_text()),
    ),
    Fault(
        "a hint with the solution",
        swap("hints.md", "One share a token", "`shares(w) @ x`, one share a token"),
    ),
    # pictures, probes and stages
    Fault(
        "a drawing there is not",
        add("statement.md", "\n![A mask](drawing:mask)\n"),
    ),
    Fault(
        "a picture that is not there",
        add("statement.md", "\n![A plot](plot.png)\n"),
    ),
    Fault(
        "a picture without words",
        both(add("statement.md", "\n![](plot.png)\n"), put("plot.png", b"x")),
    ),
    Fault(
        "axes of no stage",
        add("exercise.toml", '\n[stage_axes]\nparts = ["seq_len"]\n'),
    ),
    Fault(
        "too many axes of a stage",
        add("exercise.toml", '\n[stage_axes]\nshares = ["seq_len", "one"]\n'),
    ),
    Fault(
        "a probe of no argument",
        add("exercise.toml", '\n[probe]\ncases = ["all_sizes_differ"]\nlabels = ["V"]\n'),
    ),
    Fault(
        "a probe of no example",
        add("exercise.toml", '\n[probe]\ncases = ["square"]\nlabels = ["x"]\n'),
    ),
    Fault(
        "a probe of no table",
        add("exercise.toml", '\n[probe]\ncases = ["all_sizes_differ"]\nlabels = ["w"]\n'),
    ),
    Fault(
        "a probe with equal labels",
        both(
            swap("cases.py", "return _normal(6, 4, 3)", "return np.ones((4, 3)), np.arange(4.0)"),
            add("exercise.toml", '\n[probe]\ncases = ["all_sizes_differ"]\nlabels = ["x"]\n'),
        ),
    ),
    Fault(
        "a probe that mixes its labels",
        add("exercise.toml", '\n[probe]\ncases = ["all_sizes_differ"]\nlabels = ["x"]\n'),
    ),
    Fault("no word in the hints", put("hints.md", " ")),
    Fault(
        "a part no stage gives",
        both(
            swap("reference.py", "shares(w) @ x", "(shares(w) @ x, 3.5 * w.sum())"),
            swap("stages.py", "weighted_mean(x, w)}", "weighted_mean(x, w)[0]}"),
        ),
    ),
    Fault("a number that is off", swap("exercise.toml", 'text = "4.0"', 'text = "4.1"')),
    Fault("a number of nothing", swap("exercise.toml", "worked_example()[0]", "example()[0]")),
    Fault("a number that is many", swap("exercise.toml", "axis=0)[1]", "axis=0)")),
    Fault("a number that is no expression", swap("exercise.toml", "axis=0)[1]", "axis=0)[1")),
    Fault(
        "a number that is too large",
        swap("exercise.toml", "worked_example()[0].mean(axis=0)[1]", "10**400"),
    ),
    Fault("a number that is a word", swap("exercise.toml", 'text = "4.0"', 'text = "hello"')),
    Fault(
        "a formula that grows too large",
        swap("exercise.toml", '"seq_len * d_model"', '"10**400 * seq_len"'),
    ),
    Fault("a formula that does not parse", add("statement.md", "\n$\\fraction{n}{d}$\n")),
    Fault("a formula that breaks its parser", add("hints.md", f"\n$${DEEP}$$\n")),
    Fault("a number nobody reads", swap("statement.md", "4.0", "four")),
    Fault(
        "a number from nowhere", swap("statement.md", "Attention ends in one.", "It is 17.3 long.")
    ),
    Fault(
        "an example's number from nowhere", swap("exercise.toml", "0.25 and 0.75", "0.24 and 0.76")
    ),
    Fault(
        "a formula without variables",
        swap("exercise.toml", 'variables = ["seq_len", "d_model"]', ""),
    ),
    Fault(
        "a formula of another name", swap("exercise.toml", '"seq_len * d_model"', '"n * d_model"')
    ),
    Fault("a formula that is none", swap("exercise.toml", '"seq_len * d_model"', '"seq_len *"')),
    Fault(
        "a formula without a number",
        swap("exercise.toml", '"seq_len * d_model"', '"[seq_len, d_model]"'),
    ),
    Fault(
        "a formula without an end",
        swap("exercise.toml", '"seq_len * d_model"', '"seq_len * np.inf"'),
    ),
    # cases.py
    Fault("five cases", swap("cases.py", "def square", "def _square")),
    Fault("no case at all", put("cases.py", "TESTS = 6\n")),
    Fault("a case without its purpose", swap("cases.py", '"""As many tokens as features."""', "")),
    Fault(
        "a case that raises", swap("cases.py", "return _normal(3, 3, 3)", "return _normal(3, 3)")
    ),
    Fault(
        "a list of one call",
        swap("cases.py", "return _normal(3, 3, 3)", "return [_normal(3, 3, 3)]"),
    ),
    Fault(
        "several calls of a test that is shown",
        swap(
            "cases.py",
            "    return np.array([[1.0",
            "    return [_normal(7, 2, 2)] * 2\n    np.array([[1.0",
        ),
    ),
    Fault("a case that is no tuple", swap("cases.py", "return _normal(3, 3, 3)", "return 3")),
    Fault("a case with a list", swap("cases.py", "return _normal(3, 3, 3)", "return [1.0], [1.0]")),
    Fault("two equal cases", swap("cases.py", "_normal(3, 3, 3)", "_normal(1, 5, 3)")),
    Fault("a case of chance", swap("cases.py", "_normal(3, 3, 3)", "_normal(None, 3, 3)")),
    Fault(
        "a case that counts its calls",
        both(
            swap("cases.py", "def _normal(seed,", "CALLS = []\n\n\ndef _normal(seed,"),
            swap(
                "cases.py",
                "    return _normal(3, 3, 3)",
                "    CALLS.append(1)\n    return _normal(30 + len(CALLS), 3, 3)",
            ),
        ),
    ),
    Fault(
        "cases that share a generator",
        both(
            swap(
                "cases.py",
                "def _normal(seed,",
                "RNG = np.random.default_rng(0)\n\n\ndef _normal(seed,",
            ),
            swap(
                "cases.py",
                "    x, w = _normal(5, 3, 5)",
                "    x, w = RNG.random((3, 5)), RNG.random(3)",
            ),
        ),
    ),
    Fault(
        "a hidden test of a visible seed", swap("cases.py", "_normal(1, 5, 3)", "_normal(6, 5, 3)")
    ),
    Fault("a trace with equal sizes", swap("cases.py", "_normal(6, 4, 3)", "_normal(6, 3, 3)")),
    # reference.py
    Fault("a reference that does not parse", add("reference.py", "\ndef broken(:\n")),
    Fault("a reference that reads files", add("reference.py", "\nimport os\n")),
    Fault("a reference that does not load", add("reference.py", "\nshares(0)\n")),
    Fault("a reference of another name", swap("reference.py", "def weighted_mean", "def mean")),
    Fault(
        "a reference that raises", swap("reference.py", "shares(w) @ x", "shares(w) @ x.T[:, :4]")
    ),
    Fault("a reference that gives a list", swap("reference.py", "shares(w) @ x", "list(w)")),
    Fault(
        "a reference that changes its input",
        swap("reference.py", "return shares(w) @ x", "w /= w.sum()\n    return w @ x"),
    ),
    Fault(
        "a reference of chance",
        swap("reference.py", "shares(w) @ x", "shares(w) @ x + np.random.default_rng().random()"),
    ),
    Fault(
        "a reference that gives nan",
        swap("reference.py", "shares(w) @ x", "shares(w) @ x + np.sqrt(x[0] * 0 - 1)"),
    ),
    Fault(
        "a slow reference",
        both(
            swap(
                "reference.py",
                "return shares(w) @ x",
                "for _ in range(3000000):\n        pass\n    return shares(w) @ x",
            ),
            SHORT,
        ),
    ),
    Fault(
        "a mutant no case catches",
        swap("reference.py", "return shares(w) @ x", "x = np.array(x)\n    return shares(w) @ x"),
    ),
    Fault(
        "a reference nothing can be changed in",
        put(
            "reference.py",
            "def shares(w):\n    return w\n\n\ndef weighted_mean(x, w):\n    return w\n",
        ),
    ),
    Fault(
        "a mutant that is caught",
        add(
            "exercise.toml",
            '\n[[equivalent_mutant]]\nline = 7\nchange = "w / w.sum() -> w"\nwhy = "no"\n',
        ),
    ),
    Fault(
        "a mutant that is not made",
        add("exercise.toml", '\n[[equivalent_mutant]]\nline = 7\nchange = "w -> 0"\nwhy = "no"\n'),
    ),
    # the other programs
    Fault(
        "a starter that is solved", swap("starter.py", "    pass", "    return (w / w.sum()) @ x")
    ),
    Fault("a starter of another signature", swap("starter.py", "(x, w)", "(w, x)")),
    Fault("a starter without the function", swap("starter.py", "weighted_mean", "mean")),
    Fault("a starter that is refused", add("starter.py", "\nimport socket\n")),
    Fault("another solution that is off", swap("accepted/loop.py", "sum(w)", "len(w)")),
    Fault("another solution that is refused", add("accepted/loop.py", "\nopen('x')\n")),
    Fault("stages that raise", swap("stages.py", "weighted_mean(x, w)}", "weighted_mean(x)}")),
    Fault(
        "stages that are no dict", put("stages.py", "def stages(x, w):\n    return [shares(w)]\n")
    ),
    Fault(
        "stages that end elsewhere",
        swap("stages.py", '"output": weighted_mean(x, w)', '"sum": w @ x'),
    ),
    Fault("stages of nothing", put("stages.py", "def stages(x, w):\n    return {}\n")),
    Fault("stages without the function", swap("stages.py", "def stages", "def steps")),
    # mistakes
    Fault("no mistake", drop("mistakes/weights.py")),
    Fault("a mistake that is right", mistake("loops", "return (w / w.sum()) @ x")),
    Fault(
        "a mistake without words",
        swap(
            "mistakes/weights.py",
            "    Every token counts the same here. A token's weight says how much it counts.\n",
            "",
        ),
    ),
    Fault("a mistake with a hint too far", swap("mistakes/weights.py", "Hint: 1", "Hint: 6")),
    Fault("two mistakes alike", mistake("plain_mean", "return x.sum(axis=0) / len(x)")),
    Fault(
        "the same as nothing",
        mistake("plain_mean", "return x.mean(axis=0)", "\n    Same as: other"),
    ),
    Fault(
        "the same as another",
        mistake("plain_sum", "return x.sum(axis=0)", "\n    Same as: ignores-weights"),
    ),
    Fault(
        "a mistake twice",
        put(
            "mistakes/more.py",
            MISTAKE.format(name="not_shared_out", body="return w @ x", more=""),
        ),
    ),
    Fault("a mistake named as a helper", mistake("shares", "return x")),
    Fault("a mistake that never ends", both(mistake("loops", "while True:\n        pass"), SHORT)),
    Fault(
        "a mistake of chance", mistake("random", "return x[0] + np.random.default_rng().random()")
    ),
    Fault(
        "a helper with other parameters",
        put(
            "mistakes/shares.py",
            MISTAKE.format(name="other", body="return 5 * weighted_mean(x, w)", more=""),
        ),
    ),
    Fault(
        "a private helper in two files",
        both(
            add("mistakes/weights.py", "\n\ndef _factor():\n    return 5.0\n"),
            mistake("fivefold", "return _factor() * weighted_mean(x, w)"),
            put(
                "mistakes/zoom.py",
                "\n\ndef _factor():\n    return 7.0\n"
                + MISTAKE.format(
                    name="sevenfold", body="return _factor() * weighted_mean(x, w)", more=""
                ),
            ),
        ),
    ),
    Fault(
        "a mistake that only works alone",
        both(
            drop("mistakes/weights.py"),
            put("mistakes/shares.py", _of_shares("doubled", "shares(w) * 2.0")),
            add("mistakes/shares.py", _of_shares("shifted", "shares(w) + 1.0")),
            put(
                "mistakes/strict.py",
                MISTAKE.format(
                    name="strict",
                    body="assert shares(w).sum() < 1.01\n    return weighted_mean(x, w) * 5",
                    more="",
                ),
            ),
        ),
    ),
    Fault(
        "a file that fails in company",
        both(
            put(
                "mistakes/first.py",
                MISTAKE.format(name="fivefold", body="return weighted_mean(x, w) * 5", more="")
                + "\n\n_ONES = 'two'\n",
            ),
            put(
                "mistakes/tail.py",
                MISTAKE.format(
                    name="threefold", body="return weighted_mean(x, w) * 3", more=""
                ).replace("A title", "Threefold")
                + "\n\ntry:\n    _ONES\nexcept NameError:\n    _ONES = 1\n_TWO = _ONES + 1\n",
            ),
        ),
    ),
    Fault(
        "too much in company",
        mistake("doubled", "return 2 * w @ x", "\n    In company: One. Two. Three."),
    ),
    Fault(
        "a mistake in another's words",
        both(
            mistake("first_token", "return x[0] * 1.0"), mistake("last_token", "return x[-1] * 1.0")
        ),
    ),
    Fault("a mistake that does not load", add("mistakes/weights.py", "\nnothing\n")),
)
