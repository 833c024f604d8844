"""The workbench page, however one came to it: fresh, with a draft, after a run, by a submission."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import Response

from app.classroom.asking import Question
from app.classroom.policy import points
from app.model import Slug
from app.records import Json, Submission
from app.web.deps import Site, Visitor
from app.web.guard import notes
from app.web.html.text import as_text
from app.web.pages.workbench_view import WorkbenchView, history_change, workbench_view
from app.web.report.accepted import mistakes_met, timed_solutions
from app.web.report.second_look import second_look_row
from app.web.report.view import expected, report_view

MEASURING_S = 1.0
"""How long a page waits for the times of other right ways, measured once for each exercise."""


@dataclass(frozen=True)
class Shown:
    """What a workbench is opened with. `guest` is true for a reader without the owner's cookie.

    `complaint` says what keeps the own `arguments` from being run, `name_complaint` what the
    name lacks that a first submission needs; `cookieless` is true where the
    browser sent no cookie along with a form of ours. `question` is
    asked before the code is submitted.
    """

    draft: str = ""
    source: str | None = None
    submission: Submission | None = None
    report: Json | None = None
    arguments: str = ""
    complaint: str = ""
    name_complaint: str = ""
    guest: bool = False
    cookieless: bool = False
    template: str = "exercise.html"
    question: Question | None = None


def workbench(request: Request, site: Site, who: Visitor, slug: Slug, shown: Shown) -> Response:
    """The page. Raises NoSuchExercise."""
    found = workbench_view(site.service, site.renderer.markdown, who, slug)
    if shown.submission is not None:
        found = _with_submission(request, site, found, shown)
    elif shown.source is not None:
        typed = replace(found, arguments=shown.arguments, complaint=shown.complaint)
        found = replace(typed, opened=shown.source, sent=True)
    elif shown.draft:
        found = _with_draft(found, shown.draft)
    elif (last := _still_submitted(site, who, found)) is not None:
        seen = _with_submission(request, site, found, Shown(submission=last))
        found = replace(seen, submission=None, reported=last, base=found.base)
        shown = replace(shown, report=last.report)
    elif found.drafts.opened is None and found.history:
        latest = site.service.submissions.get(found.history[0].id, who.learner)
        found = replace(found, opened=as_text(latest.source))
    if shown.report is not None:
        found = replace(found, report=report_view(site.service, shown.report))
    rules = site.service.rules(who.learner, slug)
    return site.renderer.page(
        request,
        shown.template,
        workbench=found,
        exercise=found.exercise,
        data=found.page_data(who, datetime.now(UTC)),
        nonce=notes(request).nonce,
        guest=shown.guest,
        cookieless=shown.cookieless,
        asks_name=_asks_name(site, who),
        name_complaint=shown.name_complaint,
        token=request.query_params.get("read_token", ""),
        due=site.service.due(who.learner, slug) if who.known else (),
        previewed=site.service.previewed(who.learner, slug) if who.known else (),
        now=site.service.now(),
        points=points,
        rules=rules,
        hint_cost=rules.hint_cost,
        question=shown.question,
    )


def _asks_name(site: Site, who: Visitor) -> bool:
    """Whether the page asks for a name: the site wants one and the learner has none."""
    wants = site.settings.ask_name
    return wants and not (who.known and site.service.learners.get(who.learner).name)


def _still_submitted(site: Site, who: Visitor, found: WorkbenchView) -> Submission | None:
    """The last submission, where the text in the editor still is its text: its report stands."""
    if not found.history:
        return None
    last = site.service.submissions.get(found.history[0].id, who.learner)
    draft = found.drafts.opened
    same = draft is None or draft.source == last.source
    return last if same and last.report is not None else None


def _is_right(submission: Submission) -> bool:
    return submission.report is not None and submission.report["verdict"] == "accepted"


def _with_draft(found: WorkbenchView, version: str) -> WorkbenchView:
    """The workbench with one of the other drafts open; the newest where there is none such."""
    for draft in found.drafts.others:
        if draft.version == version:
            return replace(found, opened=as_text(draft.source), base=draft.version)
    return found


def _with_submission(
    request: Request, site: Site, found: WorkbenchView, shown: Shown
) -> WorkbenchView:
    """The workbench with a submission open; a guest sees that one and nothing else of its owner."""
    submission = shown.submission
    assert submission is not None  # noqa: S101 (the caller looked)
    waits = submission.report is None
    place = site.service.submissions.place(submission.id) if waits else None
    look = site.service.second_looks.get(submission)
    known = expected(site.service, found.exercise.slug)
    opened = replace(
        found,
        opened=as_text(submission.source),
        base=None,
        submission=submission,
        place=place,
        second_look=second_look_row(look, found.exercise, known),
    )
    if shown.guest:
        return opened
    is_right, report = _is_right(submission), submission.report or {}
    ordinal, change = history_change(site.service, found.history, submission)
    token = site.service.links.token(submission.id, submission.learner)
    origin = notes(request).arrival.origin
    return replace(
        opened,
        ordinal=ordinal,
        met=mistakes_met(site.service, found.history, submission) if is_right else (),
        timed=timed_solutions(site.service, report, submission.learner, MEASURING_S)
        if is_right
        else (),
        change=change,
        share_url=None if token is None else f"{origin}/shared/{token}",
    )
