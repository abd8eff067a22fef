"""The MCP servers whose tools graphs may call: a JSON file in the form that other programs use."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Self

from pydantic import Field, SecretStr, TypeAdapter, ValidationError, field_serializer
from pydantic import model_validator as validator

from forager.domain.base import Frozen
from forager.errors import StoreError, UsageError
from forager.settings import Settings
from forager.util.files import atomic_write, locked
from forager.util.suggest import did_you_mean

FILE: Final = "tools.json"
KEY: Final = "mcpServers"
NAME: Final = r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}"
FORM: Final = (
    'Write it as {"mcpServers": {"name": {"command": "…", "args": ["…"]}}}, or with "url" for a '
    "server that is reached by address."
)


class ToolServer(Frozen, extra="ignore"):
    """A server: a program that is started, or an address (streamable HTTP) with its headers.

    A program gets only the environment variables that every program needs, and those in `env`.
    """

    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, SecretStr] = Field(default_factory=dict)
    cwd: str = ""
    url: str = Field("", pattern=r"^(https?://\S+)?$")
    headers: Mapping[str, SecretStr] = Field(default_factory=dict)

    @validator(mode="after")
    def _one_way(self) -> Self:
        if bool(self.command) == bool(self.url):
            raise ValueError("a server has either a command or a url")
        return self

    @field_serializer("env", "headers", when_used="json")
    def _plain(self, values: Mapping[str, SecretStr]) -> dict[str, str]:
        return {name: value.get_secret_value() for name, value in values.items()}

    @property
    def place(self) -> str:
        """The command line or the address, without what may be secret."""
        return self.url.partition("?")[0] or " ".join((self.command, *self.args))

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values of its variables and headers."""
        return tuple(
            each.get_secret_value() for each in (*self.env.values(), *self.headers.values())
        )


SERVERS: Final = TypeAdapter(dict[str, ToolServer])


def servers_file(settings: Settings) -> Path:
    """The file of the settings, or the one in the data folder."""
    return settings.tools or settings.data / FILE


def read_servers(settings: Settings) -> dict[str, ToolServer]:
    """The servers by name; none without a file. Raises UsageError."""
    path = servers_file(settings)
    if not path.exists() and settings.tools is None:
        return {}
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        return SERVERS.validate_python(told.get(KEY, {}) if isinstance(told, dict) else told)
    except (OSError, ValueError) as error:
        why = _fault_line(error) if isinstance(error, ValidationError) else str(error)
        raise UsageError(f"The file of tool servers {path} cannot be used: {why}.", FORM) from None


def put_server(settings: Settings, name: str, server: ToolServer | None) -> None:
    """Add or replace a server; None removes it. Raises UsageError and StoreError."""
    path = servers_file(settings)
    try:
        with locked(path):
            known = read_servers(settings)
            if server is None and name not in known:
                raise UsageError(f"There is no tool server {name!r}.", did_you_mean(name, known))
            kept = {key: value for key, value in known.items() if key != name}
            kept |= {} if server is None else {name: server}
            text = json.dumps(
                {KEY: SERVERS.dump_python(kept, mode="json", exclude_unset=True)}, indent=2
            )
            with atomic_write(path) as temporary:
                temporary.write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise StoreError(
            f"{path} cannot be written: {error}.", "Make its folder writable."
        ) from error


def _fault_line(error: ValidationError) -> str:
    """The first fault, by its place, without the value, which may be secret."""
    first = error.errors(include_input=False, include_url=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
