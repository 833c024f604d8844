"""The settings of runners: who they are, and what opens them. `config.Settings` inherits them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict


class RunnerSettings(BaseSettings):
    """What the callers of runners need, and a runner itself."""

    model_config = SettingsConfigDict(env_prefix="MLGRIND_", frozen=True, extra="ignore")

    runners: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description="Addresses of the runners that run learners' code, by commas; unless given,"
        " this machine's own jail does. A name of several machines is as many runners.",
    )
    runner_token_file: Path | None = Field(
        default=None,
        description="File of the token that opens a runner; its callers may have a line"
        " `ADDRESS TOKEN` for each.",
    )
    second_opinions: int = Field(
        default=100,
        ge=0,
        description="One of so many submissions is judged again on another runner, after its"
        " verdict; 0: none.",
    )
    runner_ca: Path | None = Field(
        default=None, description="File of the certificates that runners with https are checked by."
    )
    runner_certificate: Path | None = Field(
        default=None, description="A runner's own certificate, to be asked over https."
    )
    runner_key: Path | None = Field(
        default=None,
        description="The key of a runner's certificate, if it is a file of its own.",
    )
    runner_fast: int = Field(
        default=0, ge=0, description="Places of a runner for quick code; 0: one a core."
    )
    runner_slow: int = Field(default=1, ge=1, description="Places of a runner for slow code.")

    @field_validator("runners", mode="before")
    @classmethod
    def _entries(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        return [entry.strip() for entry in value.split(",") if entry.strip()]
