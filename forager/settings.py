"""The only reader of the environment."""

import os
import re
from pathlib import Path
from typing import Annotated, Literal

from dotenv import dotenv_values
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict, SettingsError

from forager.data_folder import refuse_newer
from forager.errors import StoreError, UsageError
from forager.util.files import atomic_write, locked
from forager.util.log_file import LogLevel

KEPT_FILE = "keys.env"
"""What was set in the web UI, in the data folder."""
ENV_FILE = ".env"
SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)
"""Marks the name of a variable whose value is nobody else's business."""
LEAST_SECRET = 6
"""Characters of a value that cannot be a word by chance."""
Provider = Literal["duckduckgo", "searxng", "tavily", "serper", "brave", "google", "sites"]


class Settings(BaseSettings):
    """Every setting, from FORAGER_* variables or a .env file; the defaults need neither."""

    model_config = SettingsConfigDict(
        env_prefix="FORAGER_", env_file=ENV_FILE, extra="ignore", use_attribute_docstrings=True
    )

    data: Path = Path.home() / ".local" / "share" / "forager"
    """The data folder: checkpoints, sessions, blobs, page cache, index."""
    log: LogLevel | None = None
    """Log to standard error from this level on: DEBUG, INFO, WARNING or ERROR; DEBUG names pages
    and questions, also in the log file of the data folder."""
    model: str | None = None
    """The models when `--model` names none, in its form; unset means offline."""
    base_url: str = ""
    """Address of an OpenAI-compatible endpoint, up to /v1; unset means the provider's own."""
    api_key: SecretStr | None = None
    """Key for that endpoint."""
    openai_api_key: SecretStr | None = Field(None, validation_alias="OPENAI_API_KEY")
    """Key for OpenAI's own endpoint, or for OPENAI_BASE_URL; never sent to another one."""
    openai_base_url: str = Field("", validation_alias="OPENAI_BASE_URL")
    """Where `openai:` models are asked when no base URL is named, as OpenAI's own tools have it."""
    model_seconds: float = Field(120.0, gt=0)
    """How long a model may be silent: until its reply begins, and between two pieces of it."""
    model_patience: float = Field(150.0, ge=0)
    """How long a call is tried again, in seconds, while an endpoint is busy, away or broken."""
    model_pause: float = Field(0.5, gt=0)
    """The first pause before a call is tried again, in seconds; it doubles each time."""
    model_calls_at_once: int = Field(8, ge=1)
    """Calls in flight at once, over all sessions of the process."""
    model_calls_per_second: float = Field(0.0, ge=0)
    """Calls begun in a second on average, over all sessions of the process; 0 means any number."""
    record: Path | None = None
    """A folder that takes every request to a model or to the web, and every reply."""
    chromium: Path | None = None
    """A Chromium-family browser; unset means search for one."""
    headed: bool = False
    """Show the browser, so that a person can take over."""
    browser_hosts: tuple[str, ...] = ()
    """Hosts that the browser may ask, with all below them; unset means any public one."""
    browser_seconds: float = Field(45.0, gt=0)
    """Time limit of one action in the browser, until its page has settled and was read."""
    screenshots: bool = True
    """Keep a picture of the page for each action in the browser."""
    secrets: Path | None = None
    """A YAML file of secrets to type where an action says {{name}}: name: {domain, value}."""

    allow_private: tuple[str, ...] = ()
    """Hosts that may resolve to private or loopback addresses."""
    user_agent: str = "Forager/0.1 (+https://github.com/forager; information aggregation)"
    """How Forager names itself to sites; robots.txt is asked for the name before the slash."""
    request_seconds: float = 20.0
    """Time limit of one request, connection included."""
    max_bytes: int = 10_000_000
    """Limit of a body, on the wire and again after decompression."""
    max_redirects: int = 8
    """Limit of redirects from one address to the next."""
    politeness_seconds: float = 0.25
    """Least pause between requests to a host; longer as it slows, none for allowed private ones."""
    survey_age_seconds: float = 24 * 3600.0
    """A survey or a page older than this is revalidated."""

    memory: bool = True
    """Remember what sessions taught, and use it."""
    user: str = "default"
    """Whose memory it is, where several people share an installation."""
    chroma_url: str = ""
    """Address of a Chroma server; unset means Chroma in the data folder, for one process."""
    memory_days: float = Field(365.0, gt=0)
    """What was learned longer ago is forgotten."""
    memory_items: int = Field(200_000, ge=1)
    """Episodes and snippets kept of each; beyond that the oldest are forgotten."""

    own_nodes: Annotated[tuple[str, ...], NoDecode] = ()
    """Python files whose node types are added to those that ship, with commas between them."""
    own_nodes_folder: Path | None = None
    """The only folder that they are read from; unset means `nodes` in the data folder."""

    embedding_url: str | None = None
    """Base address of an OpenAI-compatible embedding endpoint; unset means the local MiniLM."""
    embedding_model: str = "text-embedding-3-small"
    """The model that the endpoint is asked for."""
    embedding_key: SecretStr | None = None
    """The endpoint's key, if it wants one."""

    ui_users: Annotated[tuple[str, ...], NoDecode] = ()
    """E-mail addresses of those who may use the web UI through a provider's login, with commas."""

    search: Annotated[tuple[Provider, ...], NoDecode] = ("duckduckgo",)
    """Search providers in the order in which they are asked, with commas between them."""
    ddgs_backends: str = "duckduckgo"
    """The engines that the package ddgs asks for `duckduckgo`, with commas; `auto` means all."""
    searxng_url: str = ""
    """Address of a SearXNG instance that allows format=json."""
    tavily_key: SecretStr | None = None
    """Key for Tavily."""
    tavily_url: str = "https://api.tavily.com"
    """Address of Tavily's API."""
    serper_key: SecretStr | None = None
    """Key for Serper."""
    serper_url: str = "https://google.serper.dev"
    """Address of Serper's API."""
    brave_key: SecretStr | None = None
    """Key for the Brave Search API."""
    brave_url: str = "https://api.search.brave.com/res/v1"
    """Address of the Brave Search API."""
    google_key: SecretStr | None = None
    """Key for Google's Custom Search JSON API."""
    google_engine: str = ""
    """Id (cx) of the Programmable Search Engine that it asks."""
    google_url: str = "https://www.googleapis.com/customsearch/v1"
    """Address of that API."""

    @field_validator("own_nodes", mode="before")
    @classmethod
    def _split_files(cls, value: object) -> object:
        """Files with commas between them; their names stay as they are written."""
        if isinstance(value, str):
            return tuple(name.strip() for name in value.split(",") if name.strip())
        return value

    @field_validator("log", mode="before")
    @classmethod
    def _upper_case(cls, value: object) -> object:
        """A level as it may be typed; an empty one means none."""
        return value.strip().upper() or None if isinstance(value, str) else value

    @field_validator("search", "ui_users", mode="before")
    @classmethod
    def _split_names(cls, value: object) -> object:
        """Names with commas between them, as an environment variable has them."""
        if isinstance(value, str):
            return tuple(name.strip().lower() for name in value.split(",") if name.strip())
        return value


def load_settings(data: Path | None = None) -> Settings:
    """The settings, those kept in the data folder included; the environment and .env outdo them.

    Raises StoreError for a data folder that a newer Forager wrote.
    """
    folder = data or Settings().data
    refuse_newer(folder)
    files = folder / KEPT_FILE, ENV_FILE
    return Settings(_env_file=files).model_copy(update={"data": folder})


def environment_name(field: str) -> str:
    """The environment variable of a setting."""
    if field not in Settings.model_fields:
        return field
    alias = Settings.model_fields[field].validation_alias
    return alias if isinstance(alias, str) else f"FORAGER_{field}".upper()


def setting_origin(field: str, data: Path) -> Literal["environment", ".env", "kept", "default"]:
    """Where a setting comes from."""
    name = environment_name(field)
    if name in os.environ:
        return "environment"
    if name in dotenv_values(ENV_FILE):
        return ".env"
    return "kept" if name in read_kept_values(data) else "default"


def read_kept_values(data: Path) -> dict[str, str]:
    """The variables that are kept in a data folder, with their values."""
    return {name: value for name, value in dotenv_values(data / KEPT_FILE).items() if value}


def known_secrets(settings: Settings) -> frozenset[str]:
    """Every key and password that the settings, the data folder or the environment hold."""
    fields = (getattr(settings, name) for name in Settings.model_fields)
    values = {value.get_secret_value() for value in fields if isinstance(value, SecretStr)}
    for variables in (os.environ, read_kept_values(settings.data), dotenv_values(ENV_FILE)):
        values |= {value for name, value in variables.items() if value and SECRET.search(name)}
    return frozenset(value for value in values if len(value) >= LEAST_SECRET)


UNFIT_CHARACTERS = re.compile(r"[\x00-\x1f\x7f]|\$\{")
FILE_HEADER = "# Written by Forager's web UI. Only you may read it: it holds keys.\n"


def save_values(folder: Path, changes: dict[str, str]) -> None:
    """Set variables, by their names in the environment; an empty value takes one away.

    The file is there for its owner alone, and is never there in part. Raises UsageError for a value
    that cannot be written, and StoreError.
    """
    for name, value in changes.items():
        if UNFIT_CHARACTERS.search(value):
            raise UsageError(f"{name} has characters that no setting has.", "Paste it once more.")
    path = folder / KEPT_FILE
    try:
        with locked(path), atomic_write(path) as fresh:
            values = {**read_kept_values(folder), **changes}
            lines = [
                f"{name}={_quote_value(value)}\n" for name, value in sorted(values.items()) if value
            ]
            with fresh.open("w", encoding="utf-8") as file:
                file.write(FILE_HEADER + "".join(lines))
                file.flush()
                os.fsync(file.fileno())
            _check_values(fresh)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error}.", "Make it writable.") from error


def _check_values(file: Path) -> None:
    """A file that cannot be read would keep the program from starting."""
    try:
        Settings(_env_file=file)
    except SettingsError as error:
        raise UsageError(f"{error}.", "Write a JSON list.") from error
    except ValidationError as error:
        fault = error.errors()[0]
        name = environment_name(str(fault["loc"][0]))
        raise UsageError(f"{name} does not fit: {fault['msg']}.", "Correct it.") from error


def _quote_value(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
