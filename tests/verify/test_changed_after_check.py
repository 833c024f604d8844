"""What changes after a check has finished is not what was checked: no old proof stands for it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.config import Settings
from app.main import AuthorAccess, build, create_app
from app.verify import Means, Proof
from app.verify.proof_cache import KnownFolder, ProofCache
from tests.verify.faults import SOUND


def longer(folder: Path) -> None:
    with (folder / "exercise.toml").open("a") as settings:
        settings.write("# later\n")


def as_long_as_before(folder: Path) -> None:
    """The same number of bytes: only what they say is another."""
    cases = folder / "cases.py"
    cases.write_bytes(cases.read_bytes().replace(b"_normal(5, 3, 5)", b"_normal(9, 3, 5)"))


def replaced(folder: Path) -> None:
    """As editors save: another file is moved to the name."""
    (folder / ".new").write_bytes((folder / "reference.py").read_bytes() + b"\n")
    (folder / ".new").rename(folder / "reference.py")


def more(folder: Path) -> None:
    (folder / "notes.txt").write_text("x")


def fewer(folder: Path) -> None:
    (folder / "hints.md").unlink()


def gone(folder: Path) -> None:
    shutil.rmtree(folder)


CHANGES = (longer, as_long_as_before, replaced, more, fewer, gone)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SOUND, tmp_path / "mine" / SOUND.name))


@pytest.fixture
def proofs(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders that were proved, in order; the proof itself has tests of its own."""
    made: list[Path] = []

    def prove(folder: Path, _means: Means) -> Proof:
        made.append(folder)
        return Proof(folder.name, str(folder))

    monkeypatch.setattr("app.verify.proof_cache.prove", prove)
    return made


def cache(folder: Path, means: Means) -> ProofCache:
    return ProofCache(lambda: (folder,), means)


@pytest.mark.parametrize("change", CHANGES)
def test_no_proof_stands_for_what_changed_after_the_check(
    folder: Path, means: Means, proofs: list[Path], change: Callable[[Path], None]
) -> None:
    known = cache(folder, means)
    assert known.known() == (KnownFolder(SOUND.name, None, changed=False),)
    checked = known.proved(SOUND.name)
    assert known.known() == (KnownFolder(SOUND.name, checked, changed=False),)
    assert known.proved(SOUND.name) is checked
    change(folder)
    assert known.known() == (KnownFolder(SOUND.name, None, changed=True),)
    assert known.proved(SOUND.name) is not checked
    assert proofs == [folder, folder]


def test_a_change_between_the_last_look_of_a_check_and_its_answer_is_seen(
    folder: Path, means: Means, monkeypatch: pytest.MonkeyPatch
) -> None:
    def prove(folder: Path, _means: Means) -> Proof:
        if not (folder / "notes.txt").exists():
            (folder / "notes.txt").write_text("x")
        return Proof(folder.name, str(folder))

    monkeypatch.setattr("app.verify.proof_cache.prove", prove)
    known = cache(folder, means)
    checked = known.proved(SOUND.name)
    assert known.known() == (KnownFolder(SOUND.name, None, changed=True),)
    again = known.proved(SOUND.name)
    assert again is not checked
    assert known.known() == (KnownFolder(SOUND.name, again, changed=False),)


def test_what_made_it_wrong_after_the_check_is_told_by_the_next(folder: Path, means: Means) -> None:
    """By the jail: the folder was sound when it was checked."""
    known = cache(folder, means)
    checked = known.proved(SOUND.name)
    assert checked is not None
    assert checked.proof.ok
    settings = folder / "exercise.toml"
    settings.write_text(settings.read_text().replace("section =", "sektion ="))
    again = known.proved(SOUND.name)
    assert again is not None
    assert "exercise.toml:2: sektion: is not a key we know here. Is it misspelled?" in map(
        str, again.proof.complaints
    )


@pytest.fixture
def site(folder: Path, tmp_path: Path) -> Iterator[TestClient]:
    app = build(Settings(data=tmp_path / "data", exercises=(folder.parent,)), fresh_s=0.0)
    pages = create_app(app, AuthorAccess(None))
    local = ("127.0.0.1", 5000)
    with TestClient(pages, base_url="http://127.0.0.1", client=local) as client:
        yield client


def test_the_author_is_told_that_a_folder_changed_since_it_was_checked(
    site: TestClient, folder: Path, proofs: list[Path]
) -> None:
    told = "changed since it was checked"
    assert told not in site.get("/author").text
    site.get(f"/author/{SOUND.name}")
    assert told not in site.get("/author").text
    longer(folder)
    assert told in site.get("/author").text
    site.get(f"/author/{SOUND.name}")
    assert told not in site.get("/author").text
    assert proofs == [folder, folder]
