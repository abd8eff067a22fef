"""The settings. No other module reads the environment."""

import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Annotated, Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, PrivateAttr, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from forager.data_folder import refuse_newer
from forager.errors import StoreError, UsageError
from forager.util.env_file import parse_variables, read_env_file, write_variables
from forager.util.files import atomic_write, locked
from forager.util.log_file import LogLevel
from forager.util.place import Place, Server, Tables

KEPT_FILE = "keys.env"
"""The file in the data folder with the values set in the web UI."""
ENV_FILE = ".env"
"""The file of the current folder, which may come from anywhere: see `FOLDER_SETTINGS`."""
SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)
"""Matches names of variables with secret values."""
MIN_SECRET_LENGTH = 6
"""Shorter values are not redacted, since they may be ordinary words."""
FOLDER_SETTINGS: Final = frozenset(
    {
        *("api_key", "openai_api_key", "embedding_key", "embedding_model", "google_key"),
        *("google_engine", "tavily_key", "serper_key", "brave_key", "search", "ddgs_backends"),
        *("model_seconds", "model_patience", "model_pause", "model_calls_at_once"),
        *("model_calls_per_second", "headed", "browser_seconds", "screenshots", "user_agent"),
        *("request_seconds", "max_bytes", "max_redirects", "politeness_seconds"),
        *("survey_age_seconds", "memory", "memory_days", "memory_items", "user"),
    }
)
"""The settings that the current folder's .env may set: none that names a program, code, an
endpoint, a host, a folder or a person who may log in."""
ThemeName = Literal["system", "light", "dark"]
LanguageName = Literal["browser", "en", "de", "zh"]
BudgetName = Literal["quick", "standard", "thorough"]
Provider = Literal[
    "duckduckgo",
    "searxng",
    "tavily",
    "serper",
    "brave",
    "google",
    "sites",
]

_FILES: ContextVar[tuple[str | Path, ...]] = ContextVar("files", default=(ENV_FILE,))
"""The files to read; pydantic-settings would read those that it is told of whatever they are."""


class _FileSource(DotEnvSettingsSource):
    """The kept values, and of the current folder's .env what that may set."""

    def _load_env_vars(self) -> Mapping[str, str | None]:
        found: dict[str, str | None] = {}
        for file in _FILES.get():
            found |= _folder_values() if file == ENV_FILE else _read_kept(Path(file))
        return {name.lower(): value for name, value in found.items()}


LEAST_KEEP_DAYS = 1 / 24


class Settings(BaseSettings):
    """All settings, from FORAGER_* variables or a file; each has a default."""

    model_config = SettingsConfigDict(
        env_prefix="FORAGER_",
        extra="ignore",
        use_attribute_docstrings=True,
        allow_inf_nan=False,
    )

    data: Path = Path.home() / ".local" / "share" / "forager"
    """The data folder: checkpoints, sessions, blobs, page cache, index."""
    log: LogLevel | None = None
    """Log to standard error from this level on: DEBUG, INFO, WARNING or ERROR. DEBUG includes pages
    and questions, also in the log file of the data folder."""
    tracing: bool = False
    """Let LangSmith or Langfuse trace runs if its own variables, such as LANGSMITH_TRACING, are
    set. A trace sends questions, pages and prompts there."""
    langfuse_public_key: str = Field("", validation_alias="LANGFUSE_PUBLIC_KEY")
    """Name of the key for Langfuse; unset means that nothing is sent there."""
    langfuse_secret_key: SecretStr | None = Field(None, validation_alias="LANGFUSE_SECRET_KEY")
    """The key itself."""
    langfuse_base_url: str = Field("", validation_alias="LANGFUSE_BASE_URL")
    """Where Langfuse is; unset means its cloud."""
    langfuse_host: str = Field("", validation_alias="LANGFUSE_HOST")
    """The same by its older name."""
    otlp_endpoint: str = Field("", validation_alias="OTEL_EXPORTER_OTLP_ENDPOINT")
    """Address of an OpenTelemetry collector that takes OTLP over gRPC, such as
    http://127.0.0.1:4317; unset means that nothing is sent."""
    model: str | None = None
    """Default for `--model`, in the same form; unset means `auto`: what is found on this machine,
    else offline."""
    base_url: str = ""
    """Address of an OpenAI-compatible endpoint, up to /v1; unset means the provider's own."""
    api_key: SecretStr | None = None
    """Key for that endpoint; never sent elsewhere."""
    openai_api_key: SecretStr | None = Field(None, validation_alias="OPENAI_API_KEY")
    """Key for OpenAI's own endpoint, or for OPENAI_BASE_URL; never sent elsewhere."""
    openai_base_url: str = Field("", validation_alias="OPENAI_BASE_URL")
    """Address for `openai:` models if no base URL is set, as in OpenAI's own tools."""
    ollama_host: str = Field("", validation_alias="OLLAMA_HOST")
    """Where Ollama runs, as its own tools read it; unset means 127.0.0.1:11434."""
    model_seconds: float = Field(120.0, gt=0)
    """Seconds to wait for a model's reply to begin, and between two pieces of it."""
    model_patience: float = Field(150.0, ge=0)
    """Seconds to keep retrying a call while an endpoint is busy, unreachable or failing."""
    model_pause: float = Field(0.5, gt=0)
    """Seconds before a call is first retried; doubled each time."""
    model_calls_at_once: int = Field(8, ge=1)
    """The most concurrent model calls, over all sessions of the process."""
    model_calls_per_second: float = Field(0.0, ge=0)
    """The most model calls per second on average, over all sessions; 0 means no limit."""
    record: Path | None = None
    """A folder in which to record every request to models and the web, and every reply."""
    chromium: Path | None = None
    """Path of a Chromium-family browser; unset means search for one."""
    no_sandbox: bool = False
    """Run the browser without its sandbox if that cannot start; as root it never has one."""
    headed: bool = False
    """Show the browser, so that a person can take over."""
    browser_url: str = ""
    """Address of the DevTools of a Chromium that runs already, here or elsewhere; unset starts
    one."""
    browser_proxy: str = "127.0.0.1"
    """The address of this machine for that browser, whose pages pass through Forager."""
    browser_hosts: Annotated[tuple[str, ...], NoDecode] = ()
    """Hosts that the browser may contact, with their subdomains, separated by commas; unset means
    any public host."""
    browser_seconds: float = Field(45.0, gt=0)
    """Time limit in seconds for one browser action, until its page has settled and was read."""
    screenshots: bool = True
    """Keep a screenshot of the page for each browser action."""
    secrets: Path | None = None
    """A YAML file of secrets that actions type as {{name}}; entries are name: {domain, value}."""

    allow_private: Annotated[tuple[str, ...], NoDecode] = ()
    """Hosts that may resolve to private or loopback addresses, separated by commas."""
    user_agent: str = "Forager/0.1 (+https://github.com/forager; information aggregation)"
    """The User-Agent sent to sites; robots.txt rules apply to the name before the slash."""
    request_seconds: float = Field(20.0, gt=0)
    """Time limit in seconds for one request, including the connection."""
    max_bytes: int = Field(10_000_000, gt=0)
    """Limit in bytes for a response body, both compressed and decompressed."""
    max_redirects: int = Field(8, ge=0)
    """The most redirects to follow."""
    politeness_seconds: float = Field(0.25, ge=0)
    """Least seconds between requests to a host; more if it slows, none for allowed private ones."""
    survey_age_seconds: float = Field(24 * 3600.0, ge=0)
    """Age in seconds after which a survey or a page is revalidated."""

    keep_days: float = Field(0.0, ge=0)
    """Days after which a session that is not pinned is deleted, with what it taught and read; 0
    keeps sessions for good."""
    cache_megabytes: float = Field(0.0, ge=0)
    """The most space in MB for stored pages and pictures; beyond it the sites that were not used
    for longest are deleted, but for what sessions cite. 0 means no limit."""
    memory: bool = True
    """Remember what was learned in sessions, and use it."""
    user: str = "default"
    """The user whose memory is used, if several people share an installation."""
    chroma_url: str = ""
    """Address of a Chroma server; unset means Chroma in the data folder."""
    memory_days: float = Field(365.0, gt=0)
    """Days after which a memory item is forgotten."""
    memory_items: int = Field(200_000, ge=1)
    """The most episodes, and the most snippets, to keep; beyond that the oldest are forgotten."""

    own_nodes: Annotated[tuple[str, ...], NoDecode] = ()
    """Python files with additional node types, separated by commas."""
    own_nodes_folder: Path | None = None
    """The folder from which these files may be read; unset means `nodes` in the data folder."""

    database_url: SecretStr | None = None
    """Address of a PostgreSQL database for sessions, checkpoints, graphs and recipes
    (postgresql://USER:PASSWORD@HOST/NAME); unset means SQLite files in the data folder."""
    blobs: str = ""
    """Address of a store for pages and pictures that several machines share, as fsspec writes it
    (s3://BUCKET/PATH, or a folder); unset means a file of the data folder."""

    ray: str = Field("", pattern=r"^(auto|ray://\S+)?$")
    """The Ray cluster that runs sessions: `auto` for the one that this machine belongs to, or its
    address (ray://HOST:10001); unset runs them in this process."""
    ray_cpus: float = Field(1.0, gt=0)
    """Processors of the cluster that a session takes: 0.25 runs four at once on each."""
    ray_browsers: int = Field(0, ge=0)
    """Browsers that each machine of the cluster keeps for its workers, which borrow one each; 0
    lets each worker start its own."""

    webhooks: Annotated[tuple[str, ...], NoDecode] = ()
    """Addresses that are told when a session ends or waits for a person, separated by commas."""
    webhook_secret: SecretStr | None = None
    """The secret by which these messages are signed; without one, none is sent."""

    tools: Path | None = None
    """A JSON file of MCP servers whose tools graphs may call, as other programs have it; unset
    means `tools.json` in the data folder."""
    tool_seconds: float = Field(60.0, gt=0)
    """Seconds to wait for a tool server to start, and for each reply of it."""

    embedding_url: str | None = None
    """Base address of an OpenAI-compatible embedding endpoint; unset means the local MiniLM."""
    embedding_model: str = "text-embedding-3-small"
    """The embedding model to request from the endpoint."""
    embedding_key: SecretStr | None = None
    """Key for the embedding endpoint, if it needs one."""

    ui_users: Annotated[tuple[str, ...], NoDecode] = ()
    """E-mail addresses allowed to log in to the web UI through a provider, separated by commas."""

    theme: ThemeName = "system"
    """The colours of the web UI: those that the browser prefers (system), light, or dark."""
    language: LanguageName = "browser"
    """The language of the web UI: the one that the browser prefers (browser), en, de, or zh."""
    default_budget: BudgetName = "standard"
    """The budget that the start page of the web UI begins with: quick, standard or thorough."""
    proxy: str = ""
    """Address of a proxy for language models and the embedding endpoint, unless they are on this
    machine; never for pages. The proxies of the environment are not used."""

    search: Annotated[tuple[Provider, ...], NoDecode] = ("duckduckgo",)
    """Search providers in order of preference, separated by commas."""
    ddgs_backends: str = "duckduckgo"
    """The engines that `duckduckgo` uses (package ddgs), separated by commas; `auto` means all."""
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
    """Id (cx) of the Programmable Search Engine to use with it."""
    google_url: str = "https://www.googleapis.com/customsearch/v1"
    """Address of Google's Custom Search JSON API."""

    _confined: bool = PrivateAttr(False)
    _space: str = PrivateAttr("")

    @property
    def confined(self) -> bool:
        """Whether their account may name no address of a model and no folder."""
        return self._confined

    @property
    def space(self) -> str:
        """The folder, within that of the installation, of the account whose settings these are."""
        return self._space

    def for_role(self, *, confined: bool, space: str = "") -> Self:
        """These settings for an account that is or is not confined, and for its space."""
        changed = self.model_copy()
        changed._confined, changed._space = confined, space
        return changed

    def proxy_for(self, url: str) -> str | None:
        """The proxy for requests to a model at this URL; none for one on this machine."""
        host = urlsplit(url).hostname or ""
        local = host in {"localhost", "::1"} or host.startswith("127.")
        return None if local else self.proxy or None

    def place(self, tables: Tables) -> Place:
        """Where the tables of this name are."""
        url = self.database_url
        return Server(url.get_secret_value()) if url else self.data / f"{tables}.sqlite"

    @property
    def database_name(self) -> str:
        """The host and the name of the database, without user and password; empty for files."""
        url = urlsplit(self.database_url.get_secret_value() if self.database_url else "")
        return f"{url.netloc.rpartition('@')[2]}{url.path}"

    @property
    def leases(self) -> Place:
        """Where it is written which sessions run."""
        return self.place("sessions") if self.database_url else self.data / "leases"

    def in_folder(self, data: Path) -> Self:
        """These settings with a data folder that holds everything itself, sessions too."""
        return self.model_copy(update={"data": data, "database_url": None, "blobs": ""})

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments come first, then the environment, then the files."""
        return init_settings, env_settings, _FileSource(settings_cls)

    @field_validator("allow_private", "browser_hosts", mode="before")
    @classmethod
    def _split_hosts(cls, value: object) -> object:
        """Split hosts at commas; a JSON list, which was needed before, is read too."""
        if not isinstance(value, str):
            return value
        with suppress(ValueError):
            if isinstance(listed := json.loads(value), list):
                return tuple(listed)
        names = tuple(name.strip() for name in value.split(",") if name.strip())
        if any(re.search(r"[\s\"']", name) for name in names):
            raise PydanticCustomError("hosts", "write hosts, separated by commas")
        return names

    @field_validator("own_nodes", "webhooks", "search", "ui_users", mode="before")
    @classmethod
    def _split_items(cls, value: object, info: ValidationInfo) -> object:
        """Split at commas; letter case counts in file names and addresses."""
        if not isinstance(value, str):
            return value
        items = tuple(filter(None, map(str.strip, value.split(","))))
        is_name = info.field_name in {"search", "ui_users"}
        return tuple(map(str.lower, items)) if is_name else items

    @field_validator("keep_days")
    @classmethod
    def _refuse_moments(cls, days: float) -> float:
        """An age at which the session of the run itself would be gone is a slip."""
        if 0 < days < LEAST_KEEP_DAYS:
            what = "the least age is an hour, 0.042; 0 keeps sessions for good"
            raise PydanticCustomError("least_age", what)
        return days

    @field_validator("log", mode="before")
    @classmethod
    def _upper_case(cls, value: object) -> object:
        """Normalise a log level to upper case; an empty one means none."""
        return value.strip().upper() or None if isinstance(value, str) else value


def load_settings(data: Path | None = None) -> Settings:
    """Load the settings, including those kept in the data folder.

    The environment and .env override kept values; of .env only `FOLDER_SETTINGS` are read. Raises
    StoreError for a data folder written by a newer Forager, and for kept values that are no text.
    """
    folder = data or Settings().data
    refuse_newer(folder)
    return settings_from(folder / KEPT_FILE, ENV_FILE).model_copy(update={"data": folder})


def settings_from(*files: str | Path) -> Settings:
    """The settings of the environment and of these files; later ones override earlier ones."""
    token = _FILES.set(files)
    try:
        return Settings()
    finally:
        _FILES.reset(token)


def load_env_file(file: Path) -> None:
    """Set the variables of a file that the user named, unless the environment has them.

    Raises UsageError if it cannot be read.
    """
    try:
        values = parse_variables(file.read_bytes(), interpolate=True)
    except (OSError, ValueError) as error:
        raise UsageError(f"{file} cannot be read: {error}.", "Name a file for --env.") from error
    for name, value in values.items():
        if value is not None and _is_setting(name):
            os.environ.setdefault(name, value)


def ignored_variables() -> tuple[str, ...]:
    """The settings in the current folder's .env that are not read, from there or elsewhere."""
    names = read_env_file(ENV_FILE).values.keys() - _folder_values().keys()
    return tuple(sorted(name for name in names if _is_setting(name) and name not in os.environ))


def env_file_fault() -> str:
    """Why the current folder's .env is not read; empty if it is, or if there is none."""
    return read_env_file(ENV_FILE).fault


def _is_setting(name: str) -> bool:
    return name.upper() in {environment_name(field) for field in Settings.model_fields}


def _folder_values() -> dict[str, str | None]:
    """What the current folder's .env sets; `${NAME}` in it does not stand for another secret."""
    names = {environment_name(field) for field in FOLDER_SETTINGS}
    values = read_env_file(ENV_FILE).values
    return {name: value for name, value in values.items() if name.upper() in names}


def environment_name(field: str) -> str:
    """The environment variable of a setting."""
    known = Settings.model_fields.get(field)
    if known is None:
        return field
    alias = known.validation_alias
    return alias if isinstance(alias, str) else f"FORAGER_{field}".upper()


def setting_origin(field: str, data: Path) -> Literal["environment", ".env", "kept", "default"]:
    """The source of a setting's value."""
    name = environment_name(field)
    if name in os.environ:
        return "environment"
    if name in _folder_values():
        return ".env"
    return "kept" if name in read_kept_values(data) else "default"


def read_kept_values(data: Path) -> dict[str, str]:
    """The variables kept in a data folder, with their values. Raises StoreError."""
    return {name: value for name, value in _read_kept(data / KEPT_FILE).items() if value}


def _read_kept(path: Path) -> dict[str, str | None]:
    try:
        return parse_variables(path.read_bytes(), interpolate=True)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return {}
    except (OSError, ValueError) as error:
        raise StoreError(
            f"{path} cannot be read: {error}.",
            "Correct it, or move it away and set its keys again.",
        ) from error


def known_secrets(settings: Settings) -> frozenset[str]:
    """All keys and passwords in the settings, the data folder and the environment."""
    fields = (getattr(settings, name) for name in Settings.model_fields)
    values = {value.get_secret_value() for value in fields if isinstance(value, SecretStr)}
    for variables in (os.environ, read_kept_values(settings.data), read_env_file(ENV_FILE).values):
        values |= {value for name, value in variables.items() if value and SECRET.search(name)}
    return frozenset(value for value in values if len(value) >= MIN_SECRET_LENGTH)


def environment_proxies() -> tuple[str, ...]:
    """The names of the variables by which the environment names proxies, which are not used."""
    return tuple(sorted(n for n in os.environ if re.fullmatch("(https?|all)_proxy", n, re.I)))


UNFIT_CHARACTERS = re.compile(r"[\x00-\x1f\x7f]|\$\{")
FILE_HEADER = "# Written by Forager's web UI. Only you may read it: it holds keys.\n"


def save_values(folder: Path, changes: dict[str, str]) -> None:
    """Set kept variables by their environment names; an empty value removes one.

    The file is readable only by its owner, and written atomically. Raises UsageError for a value
    that cannot be written, and StoreError.
    """
    for name, value in changes.items():
        if UNFIT_CHARACTERS.search(value):
            raise UsageError(f"{name} has characters that no setting has.", "Paste it once more.")
    path = folder / KEPT_FILE
    try:
        with locked(path), atomic_write(path) as fresh:
            values = {**read_kept_values(folder), **changes}
            with fresh.open("w", encoding="utf-8") as file:
                file.write(FILE_HEADER + write_variables(values))
                file.flush()
                os.fsync(file.fileno())
            _check_values(fresh)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error}.", "Make it writable.") from error


def _check_values(file: Path) -> None:
    """Check a new file of kept values; an unreadable one would keep the program from starting."""
    try:
        settings_from(file)
    except ValidationError as error:
        fault = error.errors()[0]
        name = environment_name(str(fault["loc"][0]))
        raise UsageError(f"{name} is not valid: {fault['msg']}.", "Correct it.") from error
