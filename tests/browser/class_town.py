"""A class in the middle of a term, written into a data directory before a server starts on it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.request import Request, urlopen

from app.config import Settings
from app.main import build_catalog, build_store, load_secret
from app.model import LearnerId, Slug, SubmissionId
from app.model.classes import Account, AssignmentId, Class, EnrolmentId
from app.records import NewSubmission
from app.service.school import School, SchoolParts
from app.service.tokens import Sequence
from app.storage.store import SqlStore
from app.web.session import COOKIE, Sessions
from app.web.wall import STAFF_COOKIE
from tests.browser.learner import RIGHT, SLUG, WRONG

NAMES = (
    "Kavya Iyer", "Ann Lee", "Jonas Köhler", "Mia Brandt", "Noah Park", "=Sum(A1)", "Zoë Öztürk",
    "Maximiliane von Hohenlohe-Schillingsfürst", "Li Wei", "Sam Okoro", "Ivy Chen", "Tom Reed",
    "Uma Rao",
)  # fmt: skip
MISTAKES = ("scale-d-model", "scale-none", "split-direct-reshape")
SOFTMAX, LAYER = Slug("stable-softmax"), Slug("layer-norm-rms-norm")


PATIENCE_S = 90


@dataclass(frozen=True)
class Town:
    """The class that was made, and cookies for those in it."""

    made: Class
    host: str
    assistant: str
    learner: str
    paths: dict[str, str]

    def staff_cookie(self, site: str) -> dict[str, str]:
        return {"name": STAFF_COOKIE, "value": self.host, "url": site}

    def submit(self, site: str, source: str) -> str:
        """Have Ann submit, and wait for the report: the one try here that was really judged."""
        body = json.dumps({"source": source}).encode()
        headers = {"Content-Type": "application/json", "Cookie": f"{COOKIE}={self.learner}"}
        url = f"{site}/api/exercises/{SLUG}/submissions"
        with urlopen(Request(url, body, headers), timeout=PATIENCE_S) as answer:  # noqa: S310
            name, status = str(json.load(answer)["submission"]), answer.status
        url = f"{site}/api/submissions/{name}?wait=20"
        while status == 202:
            again = Request(url, headers=headers)  # noqa: S310 - the town's own server
            with urlopen(again, timeout=PATIENCE_S) as answer:  # noqa: S310 - the same
                status = answer.status
        return name

    def learner_cookie(self, site: str) -> dict[str, str]:
        return {"name": COOKIE, "value": self.learner, "url": site}


class Founder:
    """Fills a store the way a term does."""

    def __init__(self, data: Path) -> None:
        settings = Settings(data=data, database=f"sqlite:///{data / 'mlgrind.db'}")
        self.secret = load_secret(data)
        self.store: SqlStore = build_store(settings)
        self.catalog = build_catalog(settings)
        self.school = School(
            SchoolParts(
                self.store.school,
                self.store,
                self.catalog.get,
                lambda: tuple(self.catalog.all()),
                self.secret,
            )
        )
        self.ids = Sequence()
        self.now = datetime.now(UTC)

    def staff(self, login: str, name: str, *, host: bool = False) -> tuple[Account, str]:
        account, link = self.school.accounts.add(login, name, "the host", host=host)
        return account, self.school.accounts.set_password(link, "correct horse").token

    def date(self, days: float) -> str:
        return (self.now + timedelta(days=days)).strftime("%Y-%m-%dT%H:%M")

    def give(
        self, made: Class, by: Account, slug: Slug, opens: float, due: float, **of: str
    ) -> AssignmentId:
        fields = {
            "points": "10", "opens_at": self.date(opens), "due_at": self.date(due),
            "closes_at": self.date(due + 7), "late": "per_day", "late_share": "10", **of,
        }  # fmt: skip
        return self.school.assignments.add(made.id, slug, fields, by).id

    def join(self, made: Class, number: int, name: str) -> LearnerId:
        assert made.join_code is not None
        learner = LearnerId(f"00000000-0000-7000-8000-{number:012}")
        self.school.people.join(made.join_code, learner, name)
        return learner

    def send(
        self, learner: LearnerId, slug: Slug, passed: int, days: float, *mistakes: str
    ) -> SubmissionId:
        exercise = self.catalog.get(slug)
        assert exercise is not None
        at = self.now + timedelta(days=days)
        made = SubmissionId(self.ids.next())
        source = RIGHT if passed == 6 and slug == SLUG else WRONG
        told = [{"misconception": one} for one in mistakes]
        tests = [
            {"name": f"t{n}", "verdict": "accepted" if n < passed else "wrong_answer"}
            for n in range(6)
        ]
        report = {
            "format": 1, "verdict": "accepted" if passed == 6 else "wrong_answer",
            "passed": passed, "total": 6, "digest": exercise.digest, "tests": tests,
            "diagnosis": {**told[0], "mistakes": told} if told else None,
        }  # fmt: skip
        text = f"{source}\n# {made}\n".encode()
        self.store.submissions.add(NewSubmission(made, learner, slug, text, at))
        assert self.store.submissions.record(made, report, at)
        return made


def found(data: Path) -> Town:
    """The class, with everything in it that a page can show."""
    town = Founder(data)
    host, host_token = town.staff("eva", "Eva Berg", host=True)
    ida, ida_token = town.staff("ida", "Ida Holt")
    made = town.school.classes.make("Deep Learning", "Europe/Berlin", host, "winter")
    empty = town.school.classes.make("Linear Models", "Europe/Berlin", host, "winter")
    town.school.classes.add_staff(made.id, "ida", "assistant", host)
    attention = town.give(made, host, Slug(SLUG), -20, 1, attempts="10", hint_share="5")
    softmax = town.give(made, host, SOFTMAX, -20, -3)
    town.give(made, host, LAYER, 2, 9, feedback="count", reserved="on")
    learners = [town.join(made, n, name) for n, name in enumerate(NAMES)]
    for n, learner in enumerate(learners):
        if n % 6 == 5:
            continue
        for step in range(n % 5 + 1):
            mistakes = (MISTAKES[n % 3],) if n % 5 else ()
            town.send(learner, Slug(SLUG), min(5, step + n % 3), -2 + step / 24, *mistakes)
        if n % 3 == 0:
            town.send(learner, Slug(SLUG), 6, -1)
        if n % 2 == 0:
            town.send(learner, SOFTMAX, 6 if n % 4 else 4, -3.5 + n / 12)
    seats = {one.name: one.id for one in town.school.people.all(made.id)}
    kavya, ann = seats["Kavya Iyer"], seats["Ann Lee"]
    _change_by_hand(town, made, host, attention, softmax, kavya, ann)
    town.store.close()
    base = f"/classes/{made.id}"
    return Town(
        made,
        host_token,
        ida_token,
        _cookie(town, learners[1]),
        {
            "base": base,
            "code": str(made.join_code),
            "empty": f"/classes/{empty.id}",
            "assignment": str(attention),
            "enrolment": str(ann),
        },
    )


def _cookie(town: Founder, learner: LearnerId) -> str:
    header = Sessions(town.secret).header(learner, secure=False)
    return header.split(";")[0].split("=", 1)[1].strip('"')


def _change_by_hand(
    town: Founder, made: Class, by: Account, first: AssignmentId, second: AssignmentId,
    kavya: EnrolmentId, ann: EnrolmentId,
) -> None:  # fmt: skip
    school = town.school
    school.extensions.give(
        made.id,
        first,
        ann,
        {"due_at": town.date(3), "note": "get well"},
        by,
    )
    school.grades.override(
        made.id, second, kavya,
        {"points": "7.5", "reason": "seen in the lab", "note": "well argued"}, by,
    )  # fmt: skip
    school.grades.hold(made.id, second, ann, by, held=True)
