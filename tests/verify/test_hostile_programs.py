"""A folder whose programs are hostile: its author is told, and nobody and nothing else notices.

Each program goes into a copy of the sound folder, where it runs in the jail alone, by the ways that
the command and the server go.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.config import Settings
from app.expectations import composing
from app.main import AuthorAccess, build, create_app
from app.main import means as join
from app.model import LearnerId, Ran, Slug
from app.ports import AuthorSandbox
from app.sandbox.keeper import Layers
from app.sandbox.pool import LocalSandbox
from app.service import ExerciseBroken
from app.verify import Means, Proof, proof_cache, prove, prove_folder
from app.verify.proof_cache import WAITING, ProofCache, TooManyProofs
from tests.hostile.grounds import PORT, Grounds, grounds
from tests.service.world import PATIENCE_S
from tests.verify.changes import Change, add, both, mistake, put, swap
from tests.verify.faults import SOUND, says
from tests.verify.test_draws import DRAW, LEGAL

SMALL = add("exercise.toml", "\n[limits]\ncpu_s = 0.5\nmemory_mib = 64\nstdout_kib = 1\n")
WITH_DRAWS = both(
    put("inputs.py", DRAW), swap("exercise.toml", "\n[tolerance]", f"{LEGAL}\n[tolerance]")
)
QUICK = swap("exercise.toml", "cpu_s = 0.5", "cpu_s = 0.1")
REPAIRED = "This exercise is being repaired"
ROOM = swap("exercise.toml", "memory_mib = 64", "memory_mib = 512")
LONGEST = 4_000
"""Characters of a complaint: what a program says is cut."""

LOOP = "while True:\n        pass"
IN_NUMPY = "np.broadcast_to(1.0, (10**12,)).sum()"
ARRAY = "np.ones((10**5, 10**5))"
LIST = "kept = [0]\n    while True:\n        kept += kept"
PRINTS = "while True:\n        print('x' * 1000)"
LONG = "raise ValueError('x' * 10**6)"
MARKUP = "raise ValueError('\\x1b[31m<b>&\\u202e\\x00')"
PARTS = "return (0,) * 10**7, 1"
ENDLESS_LIST = "kept = []\n    kept.append(kept)\n    return kept"
LIAR = (
    "class Liar:\n        def __len__(self):\n            return 3\n"
    "        def __getitem__(self, at):\n            return Liar()\n"
    "        def __eq__(self, other):\n            return True\n    return Liar(), Liar()"
)
ALIASES = "".join(f"f{n} = f\n" for n in range(90))
SLOW = "for _ in range(300000):\n        pass"
HUGE = "return 10**400"


def reference(body: str) -> Change:
    """Something that the entry point of reference.py does."""
    return swap("reference.py", "    return shares(w) @ x", f"    {body}\n    return shares(w) @ x")


def case(body: str) -> Change:
    """Something that a test of cases.py does."""
    made = "    return _normal(3, 3, 3)"
    return swap("cases.py", made, f"    {body}\n{made}")


def draw(body: str) -> Change:
    """Something that inputs.py does in each draw."""
    return swap("inputs.py", "    return rng", f"    {body}\n    return rng")


def stage(body: str) -> Change:
    """Something that stages.py does."""
    return swap("stages.py", "    return {", f"    {body}\n    return {{")


def right(body: str) -> Change:
    """Something that another right solution does."""
    return swap("accepted/loop.py", "    return total", f"    {body}\n    return total")


def functions(count: int, parameters: str = "x, w", name: str = "f") -> str:
    """Many functions."""
    return "\n" + "".join(f"def {name}{n}({parameters}):\n    return 1\n" for n in range(count))


@dataclass(frozen=True)
class Program:
    """One hostile program in one file, and the complaint; "…" stands for any text."""

    name: str
    change: Change
    complaint: str


PROGRAMS = (
    # never ends, in Python and inside NumPy
    Program(
        "a reference that never loads",
        both(QUICK, add("reference.py", "\nwhile True:\n    pass\n")),
        "reference.py: does not load: time limit 0.1 s (is there a loop that never ends?).",
    ),
    Program(
        "a reference that never ends",
        both(QUICK, reference(LOOP)),
        "reference.py:10: weighted_mean: worked_example: time limit 0.1 s (is there a loop that"
        " never ends?).",
    ),
    Program(
        "a case that never ends in NumPy",
        both(QUICK, case(IN_NUMPY)),
        "cases.py:…: square: gives no arguments: time limit 0.1 s (is there a loop that never"
        " ends?).",
    ),
    Program(
        "a draw that never ends in NumPy",
        both(QUICK, draw(IN_NUMPY)),
        "inputs.py:…: draw: gives no arguments in draw 0: time limit 0.1 s (is there a loop that"
        " never ends?).",
    ),
    Program(
        "stages that never end",
        both(QUICK, stage(LOOP)),
        "stages.py:1: stages: worked_example: time limit 0.1 s (is there a loop that never ends?).",
    ),
    Program(
        "a right solution that never ends",
        both(QUICK, right(LOOP)),
        "accepted/loop.py:8: is not accepted: worked_example: Line 8 was still running after 0.1 s."
        " If it is right, …",
    ),
    Program(
        "a number that never ends",
        swap("exercise.toml", 'value = "worked', 'value = "np.ones(10**9).sum() + worked'),
        "exercise.toml:44: number[1]: can't be computed from 'np.ones(10**9).sum() + …': memory"
        " limit 64 MiB (make its arrays smaller).",
    ),
    # memory
    Program(
        "a case of a huge array",
        case(ARRAY),
        "cases.py:…: square: gives no arguments: memory limit 64 MiB (make its arrays smaller).",
    ),
    Program(
        "a draw whose list grows",
        draw(LIST),
        "inputs.py:…: draw: gives no arguments in draw 0: …limit …",
    ),
    # prints
    Program(
        "a draw that prints without end",
        draw(PRINTS),
        "inputs.py:9: draw: gives no arguments in draw 0: output limit wrote over 1 MiB (take its"
        " prints out).",
    ),
    Program(
        "a reference that prints while it loads",
        add("reference.py", "\nwhile True:\n    print('x' * 1000)\n"),
        "reference.py:…: does not load: output limit wrote over 1 MiB (take its prints out).",
    ),
    # exceptions
    Program(
        "a reference without an end to its calls",
        reference("weighted_mean(x, w)"),
        "reference.py:12: weighted_mean: worked_example: RecursionError: …",
    ),
    Program("a huge message", case(LONG), "cases.py:…: square: gives no arguments: ValueError: x…"),
    Program(
        "a message of markup", draw(MARKUP), "inputs.py:…: draw: gives no arguments in draw 0: …"
    ),
    # values
    Program(
        "a draw of ten million parts",
        both(ROOM, draw(PARTS)),
        "inputs.py:5: draw: gives a tuple that is too deep or has over 4,096 parts in draw 0;"
        " arguments are arrays, numbers, texts, None or dicts of arrays.",
    ),
    Program(
        "a case of ten million parts",
        both(ROOM, case(PARTS)),
        "cases.py:25: square: gives a tuple that is too deep or has over 4,096 parts; arguments"
        " are arrays, numbers, texts, None or dicts of arrays.",
    ),
    Program(
        "a generator",
        draw("return (n for n in range(3))"),
        "inputs.py:…: draw: must return the arguments as a tuple.",
    ),
    Program(
        "a list that holds itself",
        case(ENDLESS_LIST),
        "cases.py:…: square: returns a list of 1; a test holds two to 8 calls.",
    ),
    Program("an object that lies", draw(LIAR), "inputs.py:…: draw: gives a Liar in draw 0; …"),
    Program("an object that lies in a case", case(LIAR), "cases.py:…: square: gives a Liar; …"),
    Program(
        "a reference that gives a huge number",
        reference(HUGE),
        "reference.py:10: weighted_mean: worked_example: returns neither an array nor a number …",
    ),
    Program(
        "a draw of a huge number",
        draw("return rng.random((2, 2)), 10**400"),
        "inputs.py:…: draw: gives a whole number of 1,329 bits in draw 0; …",
    ),
    Program(
        "cases that take too much",
        case("return np.ones((1024, 1024)), np.ones(1024)"),
        "cases.py: all cases take 8.… MiB with their outputs; they may take 8 MiB. Make the arrays"
        " smaller.",
    ),
    # how many
    Program(
        "thousands of cases",
        add("cases.py", functions(400, "")),
        "cases.py: defines 300 functions or more; take out what no learner meets.",
    ),
    Program(
        "thousands of mistakes",
        both(*(put(f"mistakes/{area}.py", functions(110, name=area)) for area in "abc")),
        "mistakes/b.py:…: b…: is one too many: with it there are more than 200 mistakes. Keep"
        " those learners make.",
    ),
    Program(
        "docstrings without end",
        add("reference.py", f"\ndef f():\n    '{'x' * 4_000}'\n\n" + ALIASES),
        "reference.py: does not load: ValueError: the parameters and docstrings of all functions"
        " together are too long.",
    ),
    # the system
    Program(
        "a draw that wants the network",
        add("inputs.py", "import socket\n"),
        "inputs.py:9: socket isn't available here. Your function only needs its arguments.",
    ),
    Program(
        "a case that wants the disk",
        case("open('other.py', 'w')"),
        "cases.py:27: Files are not available here. …",
    ),
    Program(
        "a mistake that ends its process",
        mistake("ends", "import os; os.kill(0, 9)"),
        "mistakes/weights.py:…: os isn't available here. Your function only needs its arguments.",
    ),
)


def copy(change: Change, directory: Path) -> Path:
    folder = Path(shutil.copytree(SOUND, directory / SOUND.name))
    both(WITH_DRAWS, SMALL, change)(folder)
    return folder


def check(proof: Proof, complaint: str) -> None:
    found = [str(one) for one in proof.complaints]
    assert any(says(complaint, one) for one in found), "\n".join(found)
    assert max(map(len, found)) < LONGEST
    assert not [one for one in found if "Traceback" in one or "on us" in one]


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """What never ends is waited for as long."""
    monkeypatch.setattr(composing, "BATCH_CPU_S", 0.5)


def test_the_folder_without_a_hostile_program_is_proved(means: Means, tmp_path: Path) -> None:
    proof = prove(copy(both(), tmp_path), means)
    assert [str(complaint) for complaint in proof.complaints] == []


@pytest.mark.parametrize("program", PROGRAMS, ids=[program.name for program in PROGRAMS])
def test_a_hostile_program_is_its_authors_fault(
    program: Program, means: Means, tmp_path: Path
) -> None:
    check(prove(copy(program.change, tmp_path), means), program.complaint)


# ------------------------------------------------------------------ budgets

LOOPS = both(QUICK, *(mistake(f"loops{n}", LOOP.replace("        ", "    " * 2)) for n in range(9)))


def test_all_draws_have_a_budget(
    means: Means, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["app.expectations.draws"], "DRAWS_CPU_S", 0.2)
    check(
        prove(copy(draw(SLOW), tmp_path), means),
        "inputs.py:…: draw: takes longer than 0.2 s for all draws. Draw smaller arrays.",
    )


def test_all_files_have_a_budget(
    means: Means, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.expectations.FOLDER_CPU_S", 1.2)
    check(
        prove(copy(LOOPS, tmp_path), means),
        "mistakes/weights.py: took … s of computing, and all files of an exercise have 1.2 s"
        " together; what came after was not run. Take out what never ends, …",
    )


def test_a_proof_has_a_budget_and_tells_what_it_found(
    means: Means, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prove_folder, "PROOF_CPU_S", 0.0)
    proof = prove(copy(swap("cases.py", "_normal(3, 3, 3)", "_normal(1, 5, 3)"), tmp_path), means)
    check(proof, "cases.py:25: square: gives the same arguments as five_tokens. …")
    check(proof, "reference.py: took … s of computing, and all files of an exercise have 0 s …")


# ------------------------------------------------------------------ without the policy

FORGED = "import struct\n    os.write(3, struct.pack('<cI', b'V', 64) + bytes(64))\n    os._exit(0)"
RAW = {
    "forks": "[os.fork() for _ in range(64)]",
    "kills itself": "os.kill(os.getpid(), 9)",
    "kills its parent": "os.kill(os.getppid(), 9)",
    "kills its group": "os.killpg(0, 9)",
    "leaves": "os._exit(0)",
    "closes all files": "os.closerange(0, 100)",
    "floods its answers": "while True:\n        os.write(3, b'x' * 65536)",
    "floods the terminal": "while True:\n        os.write(1, b'x'), os.write(2, b'x')",
    "forges an answer": FORGED,
    "writes a file": "open('/tmp/mlgrind_dropped', 'w').write('x')",
    "changes another file": "open('{folder}/reference.py', 'a').write('x')",
    "calls out": f"import socket\n    socket.create_connection(('127.0.0.1', {PORT}), 1)",
    "sleeps": "import time\n    time.sleep(3600)",
    "crashes": "import ctypes\n    ctypes.string_at(0)",
}
"""What only the operating system stops, by what it does; each in a case or in each draw."""


@pytest.fixture(scope="module")
def raw() -> Iterator[AuthorSandbox]:
    """Without the language policy: only the walls of the operating system stand."""
    sandbox = LocalSandbox(parts=Layers(policy=False))
    yield sandbox
    sandbox.close()


@pytest.fixture(scope="module")
def around() -> Iterator[Grounds]:
    with grounds(65534 if os.geteuid() == 0 else os.geteuid()) as laid:
        yield laid


@pytest.mark.parametrize("name", RAW)
def test_what_the_policy_would_stop_the_wall_stops(
    name: str, raw: AuthorSandbox, around: Grounds, tmp_path: Path
) -> None:
    body = RAW[name].replace("{folder}", str(tmp_path / SOUND.name))
    hostile = both(
        swap("exercise.toml", "cpu_s = 0.5", "cpu_s = 0.1\nsleep_s = 0.3"),
        *(add(file, "\n\nimport os\n") for file in ("cases.py", "inputs.py")),
        case(body) if len(name) % 2 else draw(body),
    )
    folder = copy(hostile, tmp_path)
    before = {path: path.read_bytes() for path in folder.rglob("*.*") if path.is_file()}
    proof = prove(folder, join(raw))
    assert around.breaches(Ran()) == []
    assert {path: path.read_bytes() for path in folder.rglob("*.*") if path.is_file()} == before
    check(proof, "cases.py:…" if len(name) % 2 else "inputs.py:…")


# ------------------------------------------------------------------ the command and the server


def test_the_command_tells_it_calmly(tmp_path: Path) -> None:
    folders = [
        copy(change, tmp_path / name)
        for name, change in {
            "a": both(QUICK, case(LOOP)),
            "b": draw(MARKUP),
            "c": both(ROOM, draw(PARTS)),
        }.items()
    ]
    told = subprocess.run(
        [Path(sys.executable).with_name("mlgrind"), "check", *folders],
        capture_output=True,
        check=False,
        timeout=PATIENCE_S,
        text=True,
    )
    assert (told.returncode, told.stderr) == (1, "")
    assert told.stdout.count("✗ weighted-mean: ") == 3
    assert "Traceback" not in told.stdout and "\x1b" not in told.stdout
    assert "inputs.py:5: draw: gives a tuple that is too deep" in told.stdout


def test_the_others_are_served_beside_hostile_folders(tmp_path: Path) -> None:
    """The exercise says that it is not ready; its author is told why; all others are served."""
    mine = Path(shutil.copytree(SOUND, tmp_path / "mine" / SOUND.name)).parent
    hostile = {
        "a-loop": both(QUICK, reference(LOOP)),
        "a-bomb": case(ARRAY),
        "markup": case(MARKUP),
    }
    for name, change in hostile.items():
        copy(change, tmp_path / name).rename(mine / name)
    made = build(Settings(data=tmp_path / "data", exercises=(mine,)), fresh_s=0.0)
    local = TestClient(
        create_app(made, AuthorAccess(None)),
        base_url="http://127.0.0.1",
        client=("127.0.0.1", 5000),
        follow_redirects=False,
    )
    right, who = (SOUND / "reference.py").read_text(), LearnerId("a-learner")
    submissions = made.service.submissions
    with local as client:
        sent_first = []
        for name in hostile:
            with suppress(ExerciseBroken):  # unless it came behind the files' run
                each = LearnerId(name)  # only two of one learner's may wait
                sent_first.append(submissions.submit(each, Slug(name), right.encode()))
        assert sent_first
        for first in sent_first:
            report = submissions.verdict(first.id).result(PATIENCE_S)
            assert (report["verdict"], report["error_id"]) == ("grader_error", None)
            assert REPAIRED in str(report["message"])
        for name in hostile:
            page = client.get(f"/author/{name}")
            assert page.status_code == 200
            assert "to fix" in page.text and "<b>&amp;" not in page.text
            assert "\x1b" not in page.text and "Traceback" not in page.text
            for way in ("submissions", "runs"):
                sent = client.post(f"/api/exercises/{name}/{way}", json={"source": right})
                assert (sent.status_code, sent.json()["title"]) == (503, f"{REPAIRED}.")
            assert client.get(f"/exercises/{name}").status_code == 200
        sound = made.service.submissions.submit(who, Slug(SOUND.name), right.encode())
        judged = made.service.submissions.verdict(sound.id).result(PATIENCE_S)
        assert judged["verdict"] == "accepted"
        ready = client.get("/readyz").json()
        assert ready["ready"] is True and ready["broken"] >= len(hostile)


def test_no_more_wait_for_proofs_than_leave_threads_for_pages(
    means: Means, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One who opens pages that take long, again and again, gets no more threads."""
    folders = tuple(
        Path(shutil.copytree(SOUND, tmp_path / f"mean-{n}")) for n in range(WAITING + 1)
    )
    at_work, go_on = threading.Semaphore(0), threading.Event()

    def slow(folder: Path, _means: Means) -> Proof:
        at_work.release()
        assert go_on.wait(PATIENCE_S)
        return Proof(folder.name, str(folder))

    monkeypatch.setattr(proof_cache, "prove", slow)
    cache = ProofCache(lambda: folders, means)
    with ThreadPoolExecutor(WAITING) as pool:
        asked = [pool.submit(cache.proved, folder.name) for folder in folders[:WAITING]]
        for _ in asked:
            assert at_work.acquire(timeout=PATIENCE_S)
        with pytest.raises(TooManyProofs):
            cache.proved(folders[WAITING].name)
        go_on.set()
        assert all(one.result() is not None for one in asked)
    assert cache.proved(folders[WAITING].name) is not None
