"""A lesson: one teacher, thirty learners, an open board; every number equals one worked out here.

Programs and what they get right, on multi-head attention (12 points, due twelve hours ago, so each
try is one day late and loses 10 %): n of 6 tests are worth 12 × n/6 × 0.9 = n × 1.8 points.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from http.client import HTTPConnection
from math import inf
from pathlib import Path
from urllib.parse import urlencode, urlsplit
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.learner import CASES, PATIENCE_MS, RIGHT, SLUG, Learner
from tests.browser.serving import served

OWN = Path(__file__).parents[1] / "exercises" / "weighted-mean"
BERLIN = ZoneInfo("Europe/Berlin")
SOON_S = 6.0
"""Three times the two seconds that a board may be behind."""

WATCH = """() => {
  const look = () => {
    for (const row of document.querySelectorAll("table.board tbody tr")) {
      const name = row.querySelector("th a").innerText.trim();
      const tries = parseInt(row.querySelector("td small.num")?.innerText ?? "0");
      const mine = (window.seen[name] ??= {});
      for (let n = 1; n <= tries; n++) mine[n] ??= Date.now() / 1000;
    }
  };
  window.seen = {};
  const whole = {childList: true, subtree: true, characterData: true};
  new MutationObserver(look).observe(document.body, whole);
  look();
}"""
"""Notes when the open board first shows each try of each learner, seconds since the epoch."""

MISTAKES = {
    "01_scale_d_model": 2,
    "03_scale_no_sqrt": 1,
    "07_scale_seq_len": 3,
    "09_scale_multiply": 1,
    "11_softmax_axis_queries": 2,
    "27_softmax_missing": 0,
    "33_split_interleaved": 2,
    "45_head_order_reversed": 1,
    "61_mask_causal": 1,
    "53_roles_q_k_swapped": 2,
}
"""Ten known mistakes, and how many of the six tests each passes all the same."""

SPLIT = "31_split_direct_reshape"  # 2 of 6
MEAN = 'def weighted_mean(x, p, kind="plain"):\n    w = p["weights"]{square}\n    return {value}\n'
RIGHT_MEAN = MEAN.format(
    square=' ** 2 if kind == "squared" else p["weights"]',
    value="(x * w[:, None]).sum(axis=-2) / w.sum(), float(w.sum())",
)
PLAIN_MEAN = MEAN.format(square="", value="x.mean(axis=-2), float(w.sum())")
"""Right where all weights are equal: three of the six tests, two once a case was corrected."""


def program(name: str) -> str:
    """A wrong program of the cases, without the lines that say what is wrong."""
    lines = (CASES / "wrong" / f"{name}.py").read_text().splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("# "))


@dataclass
class Pupil:
    """A learner without a browser: a cookie and a connection."""

    site: str
    name: str
    cookie: str = ""
    answered: list[float] = field(default_factory=list)
    """When each try was answered, seconds since the epoch; tries at the first assignment only."""

    def ask(self, method: str, path: str, body: bytes, kind: str) -> tuple[int, bytes]:
        """One request; the cookie that comes back is kept."""
        connection = HTTPConnection(urlsplit(self.site).netloc, timeout=PATIENCE_MS / 1000)
        try:
            headers = {"Content-Type": kind, **({"Cookie": self.cookie} if self.cookie else {})}
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            if given := answer.getheader("Set-Cookie"):
                self.cookie = given.split(";")[0]
            return answer.status, answer.read()
        finally:
            connection.close()

    def join(self, code: str) -> None:
        """By the code and a name."""
        form = urlencode({"name": self.name}).encode()
        kind = "application/x-www-form-urlencoded"
        assert self.ask("POST", f"/join/{code}", form, kind)[0] == 303

    def submit(self, source: str, slug: str = SLUG) -> None:
        """Submit, and wait for the report."""
        body = json.dumps({"source": source}).encode()
        status, told = self.ask(
            "POST", f"/api/exercises/{slug}/submissions", body, "application/json"
        )
        while status == 202:
            where = f"/api/submissions/{json.loads(told)['submission']}?wait=20"
            status, told = self.ask("GET", where, b"", "application/json")
        assert status in (200, 201), told
        if slug == SLUG:
            self.answered.append(time.time())


@contextmanager
def tab(browser: Browser, site: str) -> Iterator[Learner]:
    """A browser of somebody's own."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE_MS)
    learner = Learner(context.new_page(), site)
    yield learner
    errors = list(learner.errors)
    context.close()
    assert errors == []


def date(hours: float) -> str:
    """What a date field holds for a moment so many hours from now."""
    return f"{datetime.now(BERLIN) + timedelta(hours=hours):%Y-%m-%dT%H:%M}"


def fill(page: Page, **fields: str) -> None:
    """Fill fields of a form by name."""
    for name, value in fields.items():
        field = page.locator(f"#f-{name}")
        if field.evaluate("e => e.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)


def press(page: Page, name: str) -> None:
    """Press the one button or link of this name."""
    page.locator("main").get_by_role("button", name=name, exact=True).click()


def facts(page: Page) -> dict[str, str]:
    """The numbers at the head of a board."""
    pairs = page.locator(".facts > div").all_inner_texts()
    return dict(text.split("\n", 1) for text in pairs)


def cell(page: Page, name: str, column: int = 1) -> Locator:
    """A learner's cell of the board."""
    row = page.locator("table.board tbody tr").filter(has=page.get_by_text(name, exact=True))
    return row.locator("td").nth(column - 1)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the teacher's own with one exercise."""
    folder = tmp_path_factory.mktemp("exercises")
    shutil.copytree(OWN, folder / OWN.name)
    return folder


def test_a_lesson(browser: Browser, shelf: Path, tmp_path: Path) -> None:
    with (
        served(tmp_path, teaches=True, MLGRIND_EXERCISES=str(shelf)) as server,
        tab(browser, server.own) as eva,
    ):
        base, code = a_class(eva, server.first_link)
        an_assignment(eva, base, SLUG, points="12", due_at=date(-12), closes_at=date(240))
        an_assignment(eva, base, "weighted-mean", points="10", due_at=date(48))
        pupils = they_join_and_submit(browser, eva, base, code, server.own)
        the_board_says(eva.page, base)
        changes_by_hand(eva, base)
        the_grades_are(eva.page, base, mean_of_17="5.0", total_of_17="15.8")
        state = eva.page.context.storage_state()
        path = urlsplit(base).path
    cases = shelf / "weighted-mean" / "cases.py"
    wrong = '[4, 6, 8]]), {"weights": np.array([1.0, 1.0])}'
    right = wrong.replace("[1.0, 1.0]", "[1.0, 3.0]")
    assert wrong in cases.read_text()
    cases.write_text(cases.read_text().replace(wrong, right))
    with served(tmp_path, MLGRIND_EXERCISES=str(shelf)) as server, tab(browser, server.own) as eva:
        eva.page.context.add_cookies(state["cookies"])  # type: ignore[arg-type]
        regraded(eva.page, server.own + path)
        the_grades_are(eva.page, server.own + path, mean_of_17="3.3", total_of_17="14.1")
        files(eva.page, server.own + path)
        assert len(pupils) == 25


def a_class(eva: Learner, link: str) -> tuple[str, str]:
    """The password by the link, then a class: the address of its pages, and its code."""
    page = eva.page
    page.goto(link)
    fill(page, login="eva", name="Eva Berg", password="correct horse")
    press(page, "Set the password and sign in")
    fill(page, title="Deep Learning", zone="Europe/Berlin")
    press(page, "Make the class")
    expect(page.get_by_role("heading", level=1)).to_have_text("Nobody is here yet.")
    code = page.locator(".join-code").inner_text().replace(" ", "")
    return page.url.removesuffix("/board"), code


def an_assignment(eva: Learner, base: str, exercise: str, **fields: str) -> None:
    """An exercise is given; the sentence follows what is typed."""
    eva.page.goto(f"{base}/assignments/new")
    fill(eva.page, exercise=exercise, opens_at=date(-240), late_share="10", **fields)
    expect(eva.page.locator("[data-sentence]")).to_contain_text("Best try counts.")
    press(eva.page, "Save")
    expect(eva.page.get_by_role("heading", level=1)).to_have_text("Assignments")


def they_join_and_submit(
    browser: Browser, eva: Learner, base: str, code: str, site: str
) -> list[Pupil]:
    """Five by clicking while the board is open, twenty-five over HTTP."""
    board = eva.page
    board.goto(f"{base}/board/{SLUG}")
    scale = program("01_scale_d_model")
    clicks = {"L01": [RIGHT], "L02": [scale, RIGHT], "L03": [scale], "L04": [program(SPLIT)]}
    with tab(browser, site) as learner:
        for name in ("L01", "L02", "L03", "L04", "L05"):
            learner.page.context.clear_cookies()
            learner.page.goto(f"{site}/join/{code}")
            fill(learner.page, name=name)
            press(learner.page, "Join the class")
            expect(learner.page.get_by_role("heading", level=1)).to_have_text("Deep Learning")
            for n, source in enumerate(clicks.get(name, [])):
                clicked(learner, source, first=n == 0)
                seen_soon(board, name, passed=source == RIGHT, tries=n + 1)
    pupils = [Pupil(site, f"L{n:02}") for n in range(6, 31)]
    board.evaluate(WATCH)
    with ThreadPoolExecutor(4) as class_room:
        list(class_room.map(lambda pupil: pupil.join(code), pupils))
        list(class_room.map(lambda pupil: homework(pupil), pupils))
    seen_soon(board, "L28", passed=False, tries=4)
    all_were_seen_soon(eva, pupils)
    return pupils


def all_were_seen_soon(eva: Learner, pupils: list[Pupil]) -> None:
    """Who joined is a row, and each try of all twenty-five stood there in its time."""
    board = eva.page
    for pupil in pupils:
        expect(cell(board, pupil.name)).to_be_visible()
    stand = "pupils => pupils.every(([name, tries]) => !tries || window.seen[name]?.[tries])"
    eva.until(stand, [[pupil.name, len(pupil.answered)] for pupil in pupils])
    seen = board.evaluate("window.seen")
    late = {
        f"{pupil.name}, try {n}": seen.get(pupil.name, {}).get(str(n), inf) - at
        for pupil in pupils
        for n, at in enumerate(pupil.answered, 1)
    }
    assert len(late) == 10 + 10 + 3 * 4
    assert {name: behind for name, behind in late.items() if behind > SOON_S} == {}


def clicked(learner: Learner, source: str, *, first: bool) -> None:
    """Submitted in the browser; the first late try is asked about, in the page."""
    learner.open()
    learner.write(source)
    learner.page.locator("[data-submit]").click()
    if first:
        asked = learner.page.locator("[data-asked]")
        expect(asked).to_contain_text("This try would be the first late one: −10 %.")
        asked.get_by_role("button", name="Submit it late").click()
    learner.judged("submission")


def seen_soon(board: Page, name: str, *, passed: bool, tries: int) -> None:
    """The open board shows a try within its time."""
    since = time.monotonic()
    shown = cell(board, name)
    expect(shown).to_contain_text(f"{tries} tries")
    expect(shown.locator(".done")).to_have_count(1 if passed else 0)
    assert time.monotonic() - since <= SOON_S


def homework(pupil: Pupil) -> None:
    """What each of the twenty-five sends, by their number."""
    number = int(pupil.name[1:])
    if 6 <= number <= 15:
        pupil.submit(program(list(MISTAKES)[number - 6]))
    elif 16 <= number <= 25:
        pupil.submit(RIGHT)
    elif 26 <= number <= 28:
        for n in range(4):
            pupil.submit(f"{program(SPLIT)}\n# try {n}\n")
    if number in (16, 17):
        pupil.submit(RIGHT_MEAN if number == 16 else PLAIN_MEAN, "weighted-mean")


def the_board_says(page: Page, base: str) -> None:
    """Passed: L01, L02 and ten over HTTP. Trying: L03, L04, ten mistakes, three who are stuck."""
    page.goto(f"{base}/board/{SLUG}")
    assert facts(page) == {
        "Passed": "12", "Trying": "15", "Not begun": "3", "Tries, median": "1"
    }  # fmt: skip
    eyebrow = page.locator(".eyebrow").inner_text()
    assert "30 learners" in eyebrow
    assert "3 stuck" in eyebrow
    stuck = page.locator("tr.stuck th a").all_inner_texts()
    assert stuck == [
        "L26", "L27", "L28"
    ]  # fmt: skip
    # L04 and three who are stuck split by a direct reshape; L02 (once), L03 and L06 scale by the
    # width of the model; nine mistakes more, one learner each.
    why = page.locator("#why ~ .counts > li")
    now = [int(text.removesuffix(" now")) for text in why.locator(".now").all_inner_texts()]
    ever = [int(text) for text in why.locator(".n b").all_inner_texts()]
    assert list(zip(ever, now, strict=True)) == [(4, 4), (3, 2), *[(1, 1)] * 9]
    # Of the 27 who tried, by test: twelve passed them all.
    cases = page.locator("#cases ~ .counts > li .n b").all_inner_texts()
    assert cases == ["15", "12", "12", "21", "25", "12"]


def changes_by_hand(eva: Learner, base: str) -> None:
    """L03 gets more time, L04 other points."""
    page = eva.page
    page.goto(f"{base}/people")
    page.get_by_role("link", name="L03", exact=True).click()
    form = page.locator("section", has=page.get_by_role("heading", name="Multi-Head Attention"))
    form.locator("summary").click()
    form.get_by_label("Due").fill(date(24))
    form.get_by_label("Note the learner reads").fill("get well")
    press_in(form, "Give the extension")
    expect(page.locator("main")).to_contain_text("4 of 12")  # 12 × 2/6, on time
    page.goto(f"{base}/grades")
    row = page.locator("table.ledger tbody tr").filter(has=page.get_by_text("L04", exact=True))
    row.locator("a.cell").first.click()
    fill(page, points="7.5", reason="seen in the lab", note="well argued")
    press(page, "Set the points")
    expect(page.locator("table.ledger")).to_contain_text("7.5")


def press_in(part: Locator, name: str) -> None:
    """Press a button of a part of the page."""
    part.get_by_role("button", name=name, exact=True).click()


def the_grades_are(page: Page, base: str, *, mean_of_17: str, total_of_17: str) -> None:
    """The whole gradebook: name, attention, mean, total."""
    page.goto(f"{base}/grades")
    late = {0: "0.0", 1: "1.8", 2: "3.6", 3: "5.4"}
    expected = {
        "L01": ("10.8", "·", "10.8"),
        "L02": ("10.8", "·", "10.8"),
        "L03": ("4.0", "·", "4.0"),
        "L04": ("7.5", "·", "7.5"),
        "L05": ("·", "·", "0.0"),
        **{
            f"L{n:02}": (late[passed], "·", late[passed])
            for n, passed in enumerate(MISTAKES.values(), 6)
        },
        "L16": ("10.8", "10.0", "20.8"),
        "L17": ("10.8", mean_of_17, total_of_17),
        **{f"L{n}": ("10.8", "·", "10.8") for n in range(18, 26)},
        **{f"L{n}": ("3.6", "·", "3.6") for n in (26, 27, 28)},
        "L29": ("·", "·", "0.0"),
        "L30": ("·", "·", "0.0"),
    }
    found = page.evaluate(
        """() => [...document.querySelectorAll("table.ledger tbody tr:not(.why)")].map(row =>
          [row.querySelector("th").innerText.trim(),
           [...row.querySelectorAll(".pts, .total")].map(e => e.innerText.trim())])"""
    )
    assert {name: tuple(points) for name, points in found} == expected


def regraded(page: Page, base: str) -> None:
    """The page says what changed; the regrade shows old and new; then it counts."""
    page.goto(f"{base}/grades")
    note = page.locator("form.note")
    expect(note).to_contain_text("Weighted Mean: cases.py changed")
    expect(note).to_contain_text("2 reports are from before.")
    press_in(note, "Regrade")
    expect(page.locator("#regrade")).to_contain_text("tries")  # how many were judged, or change
    end = time.monotonic() + PATIENCE_MS / 1000
    while page.locator("#regrade").get_by_text("tries judged").count():
        assert time.monotonic() < end
        page.reload()
    line = page.locator("#regrade tbody tr")
    expect(line).to_have_count(1)
    assert line.inner_text().split() == "L17 3 of 6 → 2 of 6 5 → 3.33".split()
    press(page, "Apply all 1")


def files(page: Page, base: str) -> None:
    """The campus's file comes back with our columns, every other byte as it was; and ours."""
    campus = (
        "Student;ID;Multi-Head Attention (71);Weighted Mean (72);Note\r\n"
        "  Points Possible;;12;10;\r\n"
        'L17;1;;;"a;b"\r\n'
        "L03;2;1,0;;ü\r\n"
        "L99;3;;;\r\n"
    ).encode("utf-16")
    filled = (
        "Student;ID;Multi-Head Attention (71);Weighted Mean (72);Note\r\n"
        "  Points Possible;;12;10;\r\n"
        'L17;1;10,80;3,33;"a;b"\r\n'
        "L03;2;4,00;;ü\r\n"
        "L99;3;;;\r\n"
    ).encode("utf-16")
    page.goto(f"{base}/grades")
    chosen = {"name": "campus.csv", "mimeType": "text/csv", "buffer": campus}
    page.locator("input[type=file]").set_input_files(chosen)  # type: ignore[arg-type]
    press(page, "Fill it")
    expect(page.locator("#export")).to_contain_text("Not in the class: line 5, “L99”")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download it").click()
    assert Path(download.value.path()).read_bytes() == filled
    plain = page.request.get(f"{base}/grades.csv?system=plain").text()
    assert "L17,,,,10.80,3.33,14.13,22.00" in plain
    assert "L04,,,,7.50,,7.50" in plain
