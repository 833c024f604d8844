"""Settings: read once from the environment (`MLGRIND_…`) and the command line, then frozen."""

from __future__ import annotations

import os
import re
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator
from pydantic_settings import NoDecode

from app.admission import Allowance
from app.runner_config import RunnerSettings

_ORIGIN = re.compile(r"https?://[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?")

SUBMISSION_MIB = 512
"""Memory that a submission may use, unless its exercise says otherwise."""

Count = Annotated[int, Field(ge=1)]


class Settings(RunnerSettings):
    """Where things are, who may connect, and how much each may ask for."""

    data: Path = Field(
        default=Path("data"), description="Directory of the database, the secret and the cache."
    )
    database: str | None = Field(
        default=None, description="Database URL; an SQLite file in the data directory unless given."
    )
    cache: Path | None = Field(
        default=None,
        description="Directory of expected outputs, made again where missing; in the data directory"
        " unless given.",
    )
    secret_file: Path | None = Field(
        default=None,
        description="File of the secret that signs cookies; in the data directory unless given.",
    )
    triples: bool = Field(
        default=True,
        description="Whether three mistakes at once are named; that takes some minutes of idle CPU,"
        " once for each version of an exercise.",
    )
    exercises: Annotated[tuple[Path, ...], NoDecode] = Field(
        default=(),
        description=f"More directories of exercise folders, separated by `{os.pathsep}`.",
    )
    host: str = Field(default="127.0.0.1", description="Address to listen on; 0.0.0.0 for a class.")
    port: int = Field(
        default=8000, ge=0, le=65535, description="Port to listen on; 0 picks a free one."
    )
    public_url: str | None = Field(
        default=None, description="The address learners use, where a proxy stands in between."
    )
    trusted_proxies: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description="Addresses or networks whose X-Forwarded-* headers count, separated by commas.",
    )
    embed_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description="Origins whose pages may show exercises in a frame, separated by commas, "
        "such as `https://book.example.edu`.",
    )
    campus_networks: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description="Internal networks whose campus systems may be asked, separated by commas.",
    )
    hsts: bool = Field(default=False, description="Tell browsers to insist on https from now on.")
    ask_name: bool = Field(
        default=False, description="Ask each learner for a name at the first submission."
    )
    metrics_token: str | None = Field(
        default=None, description="Bearer token that opens /metrics beyond this machine."
    )
    log_format: Literal["auto", "text", "json"] = Field(
        default="auto", description="How logs are written: text on a terminal, JSON elsewhere."
    )
    anonymous_days: int = Field(
        default=180, ge=0, description="Days until idle learners of no class go; 0 means never."
    )
    fast_workers: Count = Field(default=2, description="Fast submissions that run at a time.")
    slow_workers: Count = Field(default=2, description="Slow submissions that run at a time.")
    memory: Count = Field(
        default=3072,
        description="MiB that all submissions together may use; each may need 512.",
    )

    limit_outstanding: Count = Field(
        default=2, description="Submissions of one learner that may wait at a time."
    )
    limit_submissions: Count = Field(default=30, description="Submissions per learner and minute.")
    limit_runs: Count = Field(
        default=120, description="Runs per learner and minute; as many live ones again."
    )
    limit_writes: Count = Field(
        default=240, description="Drafts, names and hints per learner and minute."
    )
    limit_requests: Count = Field(
        default=600, description="Requests per learner and minute, whatever they ask for."
    )
    limit_codes: Count = Field(
        default=10, description="How often per minute one wrong recovery code is looked up."
    )
    limit_address_submissions: Count = Field(
        default=600, description="Submissions per address and minute, of all its learners."
    )
    limit_address_runs: Count = Field(
        default=2400,
        description="Runs per address and minute, of all its learners; as many live ones again.",
    )
    limit_address_writes: Count = Field(
        default=4800, description="Drafts, names and hints per address and minute."
    )
    limit_address_requests: Count = Field(
        default=12000, description="Requests per address and minute, whatever they ask for."
    )
    limit_address_codes: Count = Field(
        default=600, description="Wrong recovery codes per address and minute."
    )
    limit_address_learners: Count = Field(
        default=400,
        description="New learners per address and hour, each with a turn of their own.",
    )
    limit_open_runs: Count = Field(default=4, description="Open runs per learner.")
    limit_line: Count = Field(
        default=1000, description="Submissions and runs that may wait in all, in each web process."
    )

    @field_validator("exercises", mode="before")
    @classmethod
    def _directories(cls, value: object) -> object:
        return _parts(value, os.pathsep)

    @field_validator("trusted_proxies", mode="before")
    @classmethod
    def _addresses(cls, value: object) -> object:
        return _parts(value, ",")

    @field_validator("embed_origins", "campus_networks", mode="before")
    @classmethod
    def _origins(cls, value: object) -> object:
        return _parts(value, ",")

    @field_validator("embed_origins")
    @classmethod
    def _nothing_but_origins(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        """They go into a header as they stand, so nothing but scheme, host and port may."""
        for origin in value:
            if not _ORIGIN.fullmatch(origin):
                raise ValueError(
                    f"{origin} is no origin: write scheme and host only,"
                    " such as https://book.example.edu"
                )
        return value

    @field_validator("campus_networks")
    @classmethod
    def _nothing_but_networks(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        """Raises ValueError for what is no address and no network, as ip_network does."""
        for network in value:
            ip_network(network, strict=False)
        return value

    @field_validator("public_url", mode="before")
    @classmethod
    def _address(cls, value: object) -> object:
        """An empty variable is one that is not set."""
        return value or None

    @field_validator("public_url")
    @classmethod
    def _no_path(cls, value: str | None) -> str | None:
        """Every link of the pages begins at the root, so a path in the address would break all."""
        if value is None:
            return None
        found = urlsplit(value)
        if found.scheme not in ("http", "https") or not found.hostname:
            raise ValueError("must be an address such as https://grind.example.edu")
        if found.path not in ("", "/") or found.query or found.fragment:
            raise ValueError(
                f"{value} has a path, and ML Grind can't be served below one. Give it a host name"
                f" of its own, such as {found.scheme}://grind.{found.hostname}"
            )
        return value.rstrip("/")

    @property
    def database_url(self) -> str:
        """The database to use."""
        return self.database or f"sqlite:///{(self.data / 'mlgrind.db').absolute()}"

    @property
    def secret_path(self) -> Path:
        """The file of the secret, which the first start makes."""
        return self.secret_file or self.data / "secret"

    @property
    def cache_directory(self) -> Path:
        """Where what the jail says of the exercises' files is kept."""
        return self.cache or self.data / "cache"

    @property
    def own_only(self) -> bool:
        """Whether only this machine itself is served: then it answers to its own name only.

        Any page of the web may have its own name point to this machine (DNS rebinding).
        """
        is_loopback = self.host == "localhost" or self.host.startswith("127.") or self.host == "::1"
        return is_loopback and self.public_url is None and not self.trusted_proxies

    @property
    def slow_places(self) -> int:
        """How many slow submissions may be started at once, run or stand still: by the memory."""
        return max(self.slow_workers, self.memory // SUBMISSION_MIB - self.fast_workers)

    @property
    def allowance(self) -> Allowance:
        """The limits, as admission counts them."""
        return Allowance(
            outstanding=self.limit_outstanding,
            submissions=self.limit_submissions,
            runs=self.limit_runs,
            live=self.limit_runs,
            writes=self.limit_writes,
            address_submissions=self.limit_address_submissions,
            address_runs=self.limit_address_runs,
            address_live=self.limit_address_runs,
            address_writes=self.limit_address_writes,
            requests=self.limit_requests,
            address_requests=self.limit_address_requests,
            codes=self.limit_codes,
            address_codes=self.limit_address_codes,
            address_learners=self.limit_address_learners,
            line=self.limit_line,
            open_runs=self.limit_open_runs,
        )


def _parts(value: object, separator: str) -> object:
    """A list written as one text; anything else is left to pydantic."""
    if not isinstance(value, str):
        return value
    return [part.strip() for part in value.split(separator) if part.strip()]
