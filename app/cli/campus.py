"""`mlgrind campus …`: which campus systems may launch here, without the host's page."""

from __future__ import annotations

from typing import Annotated

import typer

from app.cli.common import Database, settings_with, stop
from app.cli.school import BY, school

EXAMPLE = "Example: mlgrind campus list"

_OPTIONS = {
    "client_id": "client",
    "auth_url": "auth",
    "token_url": "token",
    "jwks_url": "keys",
    "token_audience": "audience",
}

app = typer.Typer(help="Campus systems that speak LTI 1.3.", no_args_is_help=True)

Which = Annotated[str, typer.Argument(help="Its id, as the list shows it.", metavar="ID")]


@app.command("list", short_help="List campuses and their deployments.")
def list_(database: Database = None) -> None:
    """Write one line a campus and one a deployment: id, state, name, issuer, client id."""
    with school(database) as found:
        for one in found.campus.registering.all():
            it = one.registration
            print(f"{it.id}\t{it.state}\t{it.name}\t{it.issuer}\t{it.client_id}")
            for place in one.deployments:
                print(f"\t{place.state}\tdeployment\t{place.deployment}")


@app.command("add")
def add(
    issuer: Annotated[str, typer.Option(help="The campus's issuer, or platform id.")],
    client: Annotated[str, typer.Option(help="The client id it gave ML Grind.")],
    auth: Annotated[str, typer.Option(help="Address of its authentication requests.")],
    token: Annotated[str, typer.Option(help="Address of its access tokens.")],
    keys: Annotated[str, typer.Option(help="Address of its public keys.")],
    name: Annotated[str, typer.Option(help="What learners read of it.")] = "",
    audience: Annotated[str, typer.Option(help="Audience of tokens, where it shows one.")] = "",
    deployment: Annotated[str, typer.Option(help="A deployment to allow at once.")] = "",
    database: Database = None,
) -> None:
    """Register a campus by hand; it may launch at once. Prints its id."""
    fields = {
        "issuer": issuer,
        "client_id": client,
        "auth_url": auth,
        "token_url": token,
        "jwks_url": keys,
        "name": name,
        "token_audience": audience,
        "deployment": deployment,
    }
    from app.service.school import Complaints

    with school(database) as found:
        try:
            print(found.campus.registering.add(fields, BY).id)
        except Complaints as error:
            stop("\n".join(f"--{_OPTIONS.get(at, at)}: {why}" for at, why in error.fields.items()))


@app.command("on")
def on(campus: Which, database: Database = None) -> None:
    """Let a campus launch."""
    with school(database) as found:
        found.campus.registering.set_state(campus, "active", BY)


@app.command("off")
def off(campus: Which, database: Database = None) -> None:
    """Let a campus launch no more; whom it signed in is signed out."""
    with school(database) as found:
        found.campus.registering.set_state(campus, "off", BY)


@app.command("allow")
def allow(
    campus: Which,
    deployment: Annotated[str, typer.Argument(help="The deployment.")],
    database: Database = None,
) -> None:
    """Allow a deployment that launched."""
    with school(database) as found:
        found.campus.registering.set_deployment(campus, deployment, "allowed", BY)


@app.command("offer", short_help="Print an address at which a campus registers itself.")
def offer(database: Database = None) -> None:
    """Print an address under which one campus may register itself, within a week."""
    origin = settings_with().public_url or ""
    if not origin.startswith("https://"):
        stop("A campus course needs https: set MLGRIND_PUBLIC_URL to an https address.")
    with school(database) as found:
        print(f"{origin}/lti/register/{found.campus.registering.offer(BY)}")


@app.command("key", short_help="Make a new signing key.")
def key(database: Database = None) -> None:
    """Make a new key of ours: shown to campuses at once, signing from tomorrow."""
    with school(database) as found:
        print(found.campus.registering.new_key(BY).kid)
