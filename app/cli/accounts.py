"""`mlgrind account …`: who may sign in as staff; `mlgrind retention`: what is due to be deleted."""

from __future__ import annotations

from typing import Annotated

import typer

from app.cli.common import Database, settings_with
from app.cli.school import BY, school

EXAMPLE = "Example: mlgrind account list"
RETENTION_EXAMPLE = "Example: mlgrind retention --dry-run"

app = typer.Typer(help="Accounts of staff, and links that set a password.", no_args_is_help=True)

Login = Annotated[str, typer.Argument(help="The name they sign in with.", metavar="LOGIN")]


@app.command("list")
def list_(database: Database = None) -> None:
    """Write one line an account: login, name, what it is."""
    with school(database) as found:
        for one in found.accounts.all():
            state = "shut" if one.disabled_at else "host" if one.host else "staff"
            print(f"{one.login or '-'}\t{one.name}\t{state}")


@app.command("add")
def add(
    login: Login,
    name: Annotated[str, typer.Option("--name", help="The name learners see.")] = "",
    host: Annotated[bool, typer.Option("--host", help="Let them run the site, too.")] = False,
    database: Database = None,
) -> None:
    """Make an account, and print the link that sets its password."""
    with school(database) as found:
        _, token = found.accounts.add(login, name or login, BY, host=host)
        _print_link(token)


@app.command("link")
def link(login: Login, database: Database = None) -> None:
    """Print a link that sets a password, good once and for 24 hours."""
    with school(database) as found:
        account = found.accounts.by_login(login)
        _print_link(found.accounts.link(account.id, BY))


@app.command("shut")
def shut(login: Login, database: Database = None) -> None:
    """Let somebody sign in no more; their session ends."""
    with school(database) as found:
        found.accounts.disable(found.accounts.by_login(login).id, BY)


def _print_link(token: str) -> None:
    settings = settings_with()
    where = settings.public_url or f"http://{settings.host}:{settings.port}"
    print(f"{where.rstrip('/')}/staff/link/{token}")


def retention(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count.")] = False,
    database: Database = None,
) -> None:
    """Delete the work of classes archived long ago, and idle learners of no class."""
    days = settings_with(database=database).anonymous_days
    with school(database) as found:
        gone = found.privacy.retention(days, dry_run=dry_run)
    would = "would be deleted" if dry_run else "were deleted"
    print(f"{gone.class_learners} learners of {gone.classes} archived classes {would}")
    print(f"{gone.anonymous} learners of no class, idle for {days} days, {would}")
    if not dry_run:
        print(f"{gone.sessions} sessions that had ended were forgotten")
        print(f"{gone.audit} lines of the log older than three years were deleted")
