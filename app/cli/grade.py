"""`mlgrind grade`: files judged as the page would judge them, without a server or a database."""

from __future__ import annotations

import difflib
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.common import (
    NOT_ACCEPTED,
    USAGE,
    Exercises,
    our_faults,
    printable,
    settings_with,
    stop,
)

if TYPE_CHECKING:
    from app.config import Settings
    from app.model import Exercise, Expectations
    from app.ports import Sandbox
    from app.service.flow import Flow
    from app.service.replay import Replay

EXAMPLE = "Example: mlgrind grade multi-head-attention solution.py"

READ_BYTES = 1024 * 1024
"""More of a file is not read: what is over 64 KiB is refused whatever else it says."""

MARKS = {"accepted": "✓", "not_run": "·"}


def grade(
    slug: Annotated[str | None, typer.Argument(help="The exercise.", show_default=False)] = None,
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Files to judge, in order; - for standard input.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON report a line.")] = False,
    replay: Annotated[
        Path | None,
        typer.Option("--replay", help="Judge again what a replay report holds.", metavar="FILE"),
    ] = None,
    second_look: Annotated[
        bool, typer.Option("--second-look", help="Try what is accepted on random inputs as well.")
    ] = False,
    exercises: Exercises = None,
) -> None:
    """Judge files on an exercise's six test cases.

    With --second-look, what is accepted is tried on random legal inputs too; it stays accepted.

    Exit status: 0 when all are accepted, 1 when not, 2 for a usage error or our own fault.
    """
    settings = settings_with(exercises=exercises)
    found: Replay | None = None
    if replay is not None:
        if slug is not None:
            stop("--replay takes exercise and source from its file: give no others.")
        found = _replay(replay)
        exercise = _exercise(settings, found.exercise)
        sources = [(str(replay), found.source)]
    elif slug is None or not files:
        stop("Say which exercise and which files.\n" + EXAMPLE)
    else:
        exercise = _exercise(settings, slug)
        sources = [(str(path), _read(path)) for path in files]
    with our_faults():
        verdicts = _grade_all(
            settings, exercise, sources, found, as_json=as_json, second_look=second_look
        )
    raise SystemExit(_status(verdicts))


def _grade_all(
    settings: Settings,
    exercise: Exercise,
    sources: list[tuple[str, bytes]],
    replay: Replay | None,
    *,
    as_json: bool,
    second_look: bool,
) -> list[str]:
    from app import logs
    from app.main import build_line, build_sandbox
    from app.service.flow import Flow

    logs.configure("text")  # on standard error: what is printed here may be read by a program
    sandbox, line = build_sandbox(), build_line(settings)
    verdicts = []
    try:
        expectations = _expectations(settings, exercise, sandbox)
        line.start()
        for name, source in sources:
            report = _report(Flow(line), sandbox, exercise, expectations, source)
            if _is_unnamed(report) and expectations.triples is None and settings.triples:
                expectations = _with_triples(settings, exercise, expectations, sandbox)
                report = _report(Flow(line), sandbox, exercise, expectations, source)
            verdicts.append(report["verdict"])
            if second_look and report["verdict"] == "accepted":
                report["second_look"] = _second_look(sandbox, exercise, expectations, source)
            if as_json:
                more = {} if replay is None else {"replay": _replayed(replay, exercise, report)}
                print(json.dumps({"file": name, **report, **more}), flush=True)
            else:
                print(_text(name, report), flush=True)
                if replay is not None:
                    print(_replayed_text(replay, exercise, report))
    finally:
        line.close()
        sandbox.close()
    return verdicts


def _report(
    flow: Flow, sandbox: Sandbox, exercise: Exercise, expectations: Expectations, source: bytes
) -> dict[str, Any]:
    """The report a submission would get, by the same way through the line."""
    from app.model import Lane
    from app.ports import Jails, Job, Kind
    from app.report import to_json
    from app.service.faults import fault_report
    from app.service.judging import judge_submission

    jails = Jails.one(sandbox)

    def work(lane: Lane) -> dict[str, Any] | None:
        report = judge_submission(jails, exercise, expectations, source, lane=lane)
        return None if report is None else to_json(report)

    judged = flow.put(Job("", "", Kind.SUBMISSION, work))
    error = judged.exception()
    if error is not None:
        return dict(fault_report(exercise, expectations, error))
    return judged.result()


def _is_unnamed(report: dict[str, Any]) -> bool:
    """Whether code ran to a wrong answer that no known mistake explains, nor two of them."""
    return report["verdict"] == "wrong_answer" and report["diagnosis"] is None


def _with_triples(
    settings: Settings, exercise: Exercise, expectations: Expectations, sandbox: Sandbox
) -> Expectations:
    """With what three mistakes at once give, as a server computes it after its start."""
    from app.main import build_triples

    found = build_triples(settings, sandbox)(exercise, expectations, lambda: None)
    return replace(expectations, triples=found)


def _second_look(
    sandbox: Sandbox, exercise: Exercise, expectations: Expectations, source: bytes
) -> dict[str, Any] | None:
    """The number and result of the smallest random input it is off on; None without such inputs."""
    from app.model import Lane
    from app.service.second_looks import look_again

    if not expectations.draws:
        return None
    seen = look_again(sandbox, exercise, expectations, source, Lane.AUTHOR)
    return None if seen is None else {"draw": seen.draw, "test": seen.test}


def _expectations(settings: Settings, exercise: Exercise, sandbox: Sandbox) -> Expectations:
    from app.catalog import ExerciseErrors
    from app.main import build_expectations

    try:
        return build_expectations(settings, sandbox)(exercise)
    except ExerciseErrors as errors:
        stop(f"The exercise {exercise.slug} is broken:\n{errors}")


def _exercise(settings: Settings, slug: str) -> Exercise:
    from app.main import build_catalog

    catalog = build_catalog(settings)
    found = catalog.get(slug)
    if found is not None:
        return found
    names = [exercise.slug for exercise in catalog.all()]
    near = difflib.get_close_matches(slug, names, 1)
    broken = [str(complaint) for complaint in catalog.complaints() if slug in str(complaint)]
    if broken:
        stop(f"The exercise {slug} is broken:\n" + "\n".join(broken))
    hint = f"Did you mean {near[0]}?" if near else "There are: " + ", ".join(names)
    stop(f"No exercise is called {slug!r}. {hint}")


def _read(path: Path) -> bytes:
    """A file's bytes, as far as they matter. Exits with status 2 where it cannot be read."""
    try:
        if str(path) == "-":
            return sys.stdin.buffer.read(READ_BYTES)
        with path.open("rb") as file:
            return file.read(READ_BYTES)
    except OSError as error:
        stop(f"{path}: {error.strerror}")


def _replay(path: Path) -> Replay:
    from app.service.replay import BadReplay, read_replay

    try:
        return read_replay(path.read_bytes())
    except OSError as error:
        stop(f"{path}: {error.strerror}")
    except BadReplay as bad:
        stop(f"{path}: {bad}")


def _replayed(replay: Replay, exercise: Exercise, report: dict[str, Any]) -> dict[str, object]:
    from app.service.replay import differences

    return {
        "verdict": replay.verdict,
        "same": replay.verdict == report["verdict"],
        "differences": list(differences(replay, exercise.digest)),
    }


def _replayed_text(replay: Replay, exercise: Exercise, report: dict[str, Any]) -> str:
    from app.service.replay import differences

    same = replay.verdict == report["verdict"]
    first = "The verdict is the same as before." if same else f"It was {replay.verdict} there."
    told = differences(replay, exercise.digest) or ("Exercise and versions are the same.",)
    return printable("\n".join((first, *told)))


def _status(verdicts: list[str]) -> int:
    if "grader_error" in verdicts:
        return USAGE
    return 0 if all(verdict == "accepted" for verdict in verdicts) else NOT_ACCEPTED


def _seen(look: dict[str, Any]) -> list[str]:
    """A second look for people: right everywhere, or the input that shows it is not."""
    if look["draw"] is None:
        return ["  Right on our random inputs, too."]
    test = look["test"]
    lines = ["  Right on all six tests. On this input of ours it is not:"]
    lines += [f"    {_value(argument)}" for argument in test["arguments"] or ()]
    lines.append(f"    expected {_value(test['expected'])}")
    return [*lines, f"    got {_value(test['got'])}", f"    {test['message']}"]


def _value(value: object) -> str:
    """A value of a report in one line: an array by its numbers, anything else as it is."""
    if isinstance(value, dict) and "data" in value:
        return f"{value['dtype']}{value['shape']} {json.dumps(value['data'])}"
    return json.dumps(value)


def _text(name: str, report: dict[str, Any]) -> str:
    """A report for people: the headline, then a line a test."""
    lines = [f"{name}: {report['verdict']} ({report['passed']} of {report['total']})"]
    lines += [f"  {text}" for text in (report["message"], report["help"]) if text]
    for problem in report["problems"]:
        if problem["line"] is None and problem["message"] == report["message"]:
            continue
        where = "" if problem["line"] is None else f"line {problem['line']}: "
        lines.append(f"  {where}{problem['message']} {problem['instead']}".rstrip())
    for test in report["tests"]:
        line = f"  {MARKS.get(test['verdict'], '✗')} {test['name']}"
        if test["verdict"] != "accepted":
            line += f": {test.get('note') or test['message']} [{test['verdict']}]"
        lines.append(line)
    if report.get("second_look"):
        lines += _seen(report["second_look"])
    if report["error_id"]:
        lines.append(f"  Our fault, not yours. Its id is {report['error_id']}.")
    return printable("\n".join(lines))
