"""What a caller of runners is joined from: its entries, their tokens, whom it trusts."""

from __future__ import annotations

import ssl

from app.ports import SandboxFault
from app.ports.runners import ShutRunners
from app.runner_config import RunnerSettings
from app.sandbox.agreement import Agreement
from app.sandbox.fleet import Fleet
from app.sandbox.runner_addresses import Entry, named, read_tokens


def entries(settings: RunnerSettings) -> tuple[Entry, ...]:
    """The runners of the settings with their tokens. Raises SandboxFault with a sentence."""
    try:
        tokens = read_tokens(settings.runner_token_file)
        return tuple(named(entry, tokens) for entry in settings.runners)
    except (OSError, ValueError) as error:
        raise SandboxFault(f"MLGRIND_RUNNERS: {error}") from error


def trust(settings: RunnerSettings) -> ssl.SSLContext:
    """Who may vouch for a runner's name. Raises SandboxFault."""
    try:
        return ssl.create_default_context(cafile=settings.runner_ca)
    except (OSError, ssl.SSLError) as error:
        raise SandboxFault(f"MLGRIND_RUNNER_CA: {error}") from error


def fleet(settings: RunnerSettings, shut: ShutRunners | None = None) -> Fleet:
    """The runners of the settings, looked for once. Raises SandboxFault.

    `shut` are those that no process uses; without it, this one knows only its own.
    """
    return Fleet(entries(settings), trust(settings), agreement=Agreement(shut))
