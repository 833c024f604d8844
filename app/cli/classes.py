"""`mlgrind class …`: what a script wants of classes."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from app.cli.common import Database, stop
from app.cli.school import BY, school

EXAMPLE = "Example: mlgrind class list"

app = typer.Typer(help="Classes: make, fill, grade, archive.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="Its id, or its title.", metavar="CLASS")]
File = Annotated[Path, typer.Argument(help="A CSV file.", exists=True, dir_okay=False)]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only say what it would change.")]


class System(StrEnum):
    """Whom a table of grades is for."""

    CANVAS = "canvas"
    MOODLE = "moodle"
    BLACKBOARD = "blackboard"
    PLAIN = "plain"


@app.command("list")
def list_(database: Database = None) -> None:
    """Write one line a class: id, title, term, join code, learners."""
    with school(database) as found:
        for made in found.classes.all():
            people = [one for one in found.people.all(made.id) if one.state == "active"]
            state = "archived" if made.archived_at else made.join_code or "closed"
            print(f"{made.id}\t{made.title}\t{made.term}\t{state}\t{len(people)}")


@app.command("new")
def new(
    title: Annotated[str, typer.Argument(help="What it is called.")],
    by: Annotated[str, typer.Option("--by", help="Login of its instructor.")],
    zone: Annotated[str, typer.Option("--zone", help="Time zone of its dates.")] = "UTC",
    term: Annotated[str, typer.Option("--term", help="Such as autumn 2026.")] = "",
    database: Database = None,
) -> None:
    """Make a class, and print its id and join code."""
    with school(database) as found:
        made = found.classes.make(title, zone, found.accounts.by_login(by), term)
        print(f"{made.id}\t{made.join_code}")


@app.command("roster", short_help="Bring the roster up to date from a file.")
def roster(
    name: Name,
    file: File,
    remove: Annotated[
        bool, typer.Option("--remove", help="Remove who is not in the file; work stays.")
    ] = False,
    dry_run: DryRun = False,
    database: Database = None,
) -> None:
    """Bring the roster up to date from a file; the same file twice changes nothing."""
    with school(database) as found:
        made = found.classes.by_name(name)
        if dry_run:
            plan = found.rosters.dry_run(made.id, file.read_bytes()).plan
        else:
            plan = found.rosters.apply_file(made.id, file.read_bytes(), BY, remove=remove)
    print(f"{len(plan.new)} new, {len(plan.changed)} changed, {plan.unchanged} unchanged")
    print(f"{len(plan.missing)} not in the file")
    for bad in plan.bad:
        print(f"line {bad.line} {bad.why}", file=sys.stderr)


@app.command("extend", short_help="Give extensions from a file.")
def extend(name: Name, file: File, dry_run: DryRun = False, database: Database = None) -> None:
    """Give extensions from a file with the columns student_id, assignment, due."""
    with school(database) as found:
        made = found.classes.by_name(name)
        data = file.read_bytes()
        if dry_run:
            plan = found.extensions.dry_run(made.id, data)
        else:
            plan = found.extensions.apply_file(made.id, data, BY)
    print(f"{len(plan.rows)} extensions")
    for line, why in plan.bad:
        print(f"line {line}: {why}", file=sys.stderr)


@app.command("grades", short_help="Print the grades as a table for the campus system.")
def grades(
    name: Name,
    system: Annotated[System, typer.Option("--for", help="Whose table.")] = System.PLAIN,
    database: Database = None,
) -> None:
    """Write the grades to standard output, as a table that a campus system takes."""
    with school(database) as found:
        made = found.classes.by_name(name)
        for warning in found.grades.warnings(made.id):
            print(warning, file=sys.stderr)
        sys.stdout.buffer.write(found.grades.export(made.id, system.value))
        sys.stdout.buffer.flush()


@app.command("archive")
def archive(
    name: Name,
    back: Annotated[bool, typer.Option("--back", help="Bring it back instead.")] = False,
    database: Database = None,
) -> None:
    """Make a class read only; from now on its retention counts."""
    with school(database) as found:
        made = found.classes.by_name(name)
        if made.archived_at is not None and not back:
            stop("This class is archived already.")
        found.classes.archive(made.id, BY, archived=not back)
