"""The only reader of the environment."""

from pathlib import Path

from pydantic import SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """Every setting, from FORAGER_* variables or a .env file; the defaults need neither."""

    model_config = SettingsConfigDict(
        env_prefix="FORAGER_", env_file=".env", extra="ignore", use_attribute_docstrings=True
    )

    data: Path = Path.home() / ".local" / "share" / "forager"
    """The data folder: checkpoints, sessions, blobs, page cache, index."""
    model: str | None = None
    """The model when `--model` names none; unset means offline, so far the only one."""
    chromium: Path | None = None
    """A Chromium-family browser; unset means search for one."""

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

    embedding_url: str | None = None
    """Base address of an OpenAI-compatible embedding endpoint; unset means the local MiniLM."""
    embedding_model: str = "text-embedding-3-small"
    """The model that the endpoint is asked for."""
    embedding_key: SecretStr | None = None
    """The endpoint's key, if it wants one."""
