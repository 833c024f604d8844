"""A broken folder is left out and told of; the rest is served, and a mended one comes back."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from structlog.testing import capture_logs

from app.config import Settings
from app.main import App, AuthorAccess, build, create_app
from app.model import LearnerId, Slug
from tests.service.world import PATIENCE_S
from tests.verify.faults import FAULTS, SOUND, Fault, broken

SLUG = Slug("weighted-mean")
WHO = LearnerId("a-learner")
RIGHT = (SOUND / "reference.py").read_bytes()
BREAKING = [fault for fault in FAULTS if "link" in fault.name or "misspelled" in fault.name]


@dataclass(frozen=True)
class Site:
    """A whole ML Grind over the jail, with a directory of one's own exercises."""

    folder: Path
    app: App
    client: TestClient


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    folder = Path(shutil.copytree(SOUND, tmp_path / "mine" / SLUG))
    app = build(Settings(data=tmp_path / "data", exercises=(folder.parent,)), fresh_s=0.0)
    local = TestClient(
        create_app(app, AuthorAccess(None)),
        base_url="http://127.0.0.1",
        client=("127.0.0.1", 5000),
        follow_redirects=False,
    )
    with local as client:
        yield Site(folder, app, client)


def breaking(folder: Path) -> None:
    """Misspell a key."""
    text = (folder / "exercise.toml").read_text()
    (folder / "exercise.toml").write_text(text.replace("section =", "sektion ="))


def test_a_broken_folder_is_counted_told_and_left_out(site: Site) -> None:
    sound = site.client.get("/readyz").json()
    assert sound["broken"] == 0
    with capture_logs() as logs:
        breaking(site.folder)
        found = site.client.get("/readyz").json()
        site.client.get("/readyz")
    assert (found["broken"], found["exercises"]) == (1, sound["exercises"] - 1)
    assert found["ready"] is True
    told = [entry for entry in logs if entry["event"] == "exercise_broken"]
    assert len(told) == 1  # and not with every request
    assert told[0]["folder"] == str(site.folder)
    assert (
        "exercise.toml: sektion: is not a key we know here. Is it misspelled?"
        in (told[0]["complaints"])
    )
    assert site.client.get(f"/exercises/{SLUG}").status_code == 404
    assert site.client.get("/exercises/stable-softmax").status_code == 200
    assert SLUG not in site.client.get("/").text


def test_a_mended_folder_is_served_again(site: Site) -> None:
    whole = (site.folder / "exercise.toml").read_bytes()
    breaking(site.folder)
    assert site.client.get(f"/exercises/{SLUG}").status_code == 404
    (site.folder / "exercise.toml").write_bytes(whole)
    assert site.client.get(f"/exercises/{SLUG}").status_code == 200


def test_a_new_folder_is_picked_up_without_a_restart(site: Site) -> None:
    shutil.copytree(SOUND, site.folder.parent / "another-mean")
    assert "another-mean" in site.client.get("/").text


def test_a_report_keeps_the_digest_it_was_judged_by(site: Site) -> None:
    service = site.app.service
    first = service.submissions.submit(WHO, SLUG, RIGHT)
    judged = service.submissions.verdict(first.id).result(PATIENCE_S)
    assert (judged["verdict"], judged["digest"]) == ("accepted", service.exercises.get(SLUG).digest)

    cases = (site.folder / "cases.py").read_text()
    (site.folder / "cases.py").write_text(cases.replace("_normal(5, 3, 5)", "_normal(9, 3, 5)"))
    changed = service.exercises.get(SLUG).digest
    second = service.submissions.submit(WHO, SLUG, b"# again\n" + RIGHT)
    again = service.submissions.verdict(second.id).result(PATIENCE_S)
    assert again["digest"] == changed != judged["digest"]
    kept = service.submissions.get(first.id, WHO).report
    assert kept is not None and kept["digest"] == judged["digest"]


def test_a_folder_whose_files_fail_in_the_jail_is_told_of(site: Site) -> None:
    with capture_logs() as logs:
        (site.folder / "cases.py").write_text("def nothing(:\n")
        site.client.get(f"/exercises/{SLUG}")
        found = site.client.get("/readyz").json()
    assert found["broken"] == 1
    told = [entry for entry in logs if entry["event"] == "exercise_broken"]
    assert any("cases.py" in str(entry["complaints"]) for entry in told)
    assert site.client.get("/exercises/stable-softmax").status_code == 200


def test_the_author_sees_the_complaints_of_a_broken_folder(site: Site) -> None:
    breaking(site.folder)
    page = site.client.get(f"/author/{SLUG}")
    assert page.status_code == 200
    assert "exercise.toml:2" in page.text and "Is it misspelled?" in page.text
    assert SLUG in site.client.get("/author").text


def test_a_broken_draw_is_told_to_the_author_alone(site: Site) -> None:
    """Learners get the exercise without random inputs, and hear nothing of it."""
    (site.folder / "inputs.py").write_text("def draw(rng):\n    raise ValueError('no luck')\n")
    assert site.client.get("/readyz").json()["broken"] == 0
    page = site.client.get(f"/exercises/{SLUG}")
    assert page.status_code == 200
    assert not [word for word in ("inputs.py", "no luck", "Random input") if word in page.text]
    service = site.app.service
    made = service.submissions.submit(WHO, SLUG, RIGHT)
    assert service.submissions.verdict(made.id).result(PATIENCE_S)["verdict"] == "accepted"
    assert service.second_looks.get(made) is None
    told = site.client.get(f"/author/{SLUG}").text
    assert "inputs.py:2" in told
    assert "gives no arguments in draw 0" in told and "no luck" in told


def test_the_author_sees_the_proof_of_a_sound_folder(site: Site) -> None:
    page = site.client.get(f"/author/{SLUG}").text
    assert "The exercise proves itself." in page
    assert "ignores-weights" in page and "A nudge" in page and "Attention ends in one." in page
    report = site.client.get(f"/author/{SLUG}/mistakes/ignores-weights")
    assert report.status_code == 200
    assert "Every token counts the same here." in report.text
    assert 'aria-label="1 of 6 test cases passed"' in report.text
    assert site.client.get(f"/author/{SLUG}/mistakes/nothing").status_code == 404
    assert site.client.get("/author/nothing").status_code == 404


def test_the_author_sees_what_each_file_of_mistakes_stands_in_for(site: Site) -> None:
    """A file named like a helper, beside those of the entry point."""
    mistakes = site.folder / "mistakes"
    (mistakes / "shares.py").write_text(
        'def squared_shares(w):\n    """Every share squared\n\n    They are too large.\n'
        '\n    Hint: 1\n    """\n    return shares(w) ** 2\n\n\n'
        'def shares_and_one(w):\n    """One is added to every share\n\n    They are too large.\n'
        '    """\n    return shares(w) + 1.0\n'
    )
    page = " ".join(site.client.get(f"/author/{SLUG}").text.split())
    assert 'in the place of <span class="mono">shares()</span>' in page
    assert page.count("in the place of") == 1
    assert "Two mistakes together:" in page


def test_a_changed_folder_is_proved_again(site: Site) -> None:
    assert "3 mistakes caught and named" in site.client.get(f"/author/{SLUG}").text
    (site.folder / "mistakes" / "weights.py").unlink()
    assert "There is no mistake" in site.client.get(f"/author/{SLUG}").text
    again = site.client.post(f"/author/{SLUG}")
    assert (again.status_code, again.headers["location"]) == (303, f"/author/{SLUG}")


def test_author_pages_open_on_this_machine_only(site: Site) -> None:
    stranger = TestClient(site.client.app, base_url="http://127.0.0.1", client=("192.0.2.7", 1))
    assert stranger.get(f"/author/{SLUG}").status_code == 403
    rebound = site.client.get("/author", headers={"host": "rebound.example"})
    assert rebound.status_code == 403
    proxied = site.client.get("/author", headers={"x-forwarded-for": "192.0.2.7"})
    assert proxied.status_code == 403


def test_without_author_there_are_no_author_pages(site: Site) -> None:
    plain = TestClient(create_app(site.app), base_url="http://127.0.0.1", client=("127.0.0.1", 1))
    assert plain.get("/author").status_code == 404
    assert plain.get(f"/author/{SLUG}").status_code == 404


def test_a_token_opens_author_pages_from_elsewhere(site: Site) -> None:
    made = create_app(site.app, AuthorAccess("secret-token"))
    away = TestClient(
        made, base_url="http://mlgrind.test", client=("192.0.2.7", 1), follow_redirects=False
    )
    assert away.get("/author").status_code == 403
    assert away.get("/author?token=guess").status_code == 403
    opened = away.get("/author?token=secret-token")
    assert (opened.status_code, opened.headers["location"]) == (303, "/author")
    cookie = opened.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie and "path=/author" in cookie
    assert away.get("/author").status_code == 200


@pytest.mark.parametrize("fault", BREAKING, ids=[fault.name for fault in BREAKING])
def test_whatever_breaks_a_folder_the_rest_is_served(fault: Fault, site: Site) -> None:
    shutil.rmtree(site.folder)
    broken(fault, site.folder.parent)
    assert site.client.get("/").status_code == 200
    assert site.client.get("/readyz").json()["broken"] == 1
