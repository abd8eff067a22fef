"""The endpoint of a model, and the API key for it."""

import re
from importlib.util import find_spec
from ipaddress import ip_address
from urllib.parse import urlsplit

from pydantic import SecretStr

from forager.adapters.models.local import gguf_files
from forager.adapters.models.model_lines import KNOWN_URLS, OPENAI_URL, ModelChoice
from forager.errors import UsageError
from forager.settings import Settings

EXTRA_PACKAGE = "langchain"
OLLAMA_PORT = 11434
ANY_HOST = "0.0.0.0"  # noqa: S104  # what Ollama is told to listen on; it is asked on loopback
NEARBY_NAMES = (".localhost", ".local", ".lan", ".home", ".home.arpa", ".internal")
KEY_CHARACTERS = re.compile(r"[!-~]+")
"""The characters that a key in a header may have."""


def is_nearby(host: str) -> bool:
    """Is a host this machine, or in a private network, by its address or else by its name?"""
    name = host.lower().rstrip(".")
    try:
        return not ip_address(name.strip("[]").partition("%")[0]).is_global
    except ValueError:
        return "." not in name or name.endswith(NEARBY_NAMES)


def advise_unreached(address: str) -> str:
    """What to look at if nothing answers at an address, or at a provider without one."""
    try:
        host = urlsplit(address).hostname
    except ValueError:
        host = None
    nearby = host is not None and is_nearby(host)
    return "Is the server running?" if nearby else "Check the network connection or a proxy."


def is_compatible(choice: ModelChoice) -> bool:
    """Does the provider speak OpenAI's protocol?"""
    return choice.provider in KNOWN_URLS


def resolve_endpoint(choice: ModelChoice, settings: Settings) -> tuple[str, SecretStr | None]:
    """The base URL and key of an OpenAI-compatible model.

    A key is sent only to the address that the settings pair it with: OpenAI's to OpenAI or to
    `openai_base_url`, the other to `base_url`.
    """
    if choice.provider == "openai" and choice.base_url.rstrip("/") in ("", OPENAI_URL):
        base = choice.base_url or settings.openai_base_url or OPENAI_URL
        return base, settings.openai_api_key or paired_key(base, settings)
    base = choice.base_url or _known_url(choice.provider, settings)
    return base, paired_key(base, settings)


def ollama_address(settings: Settings) -> str:
    """Where Ollama runs, as OLLAMA_HOST says it to Ollama's own programs. Raises UsageError."""
    host = settings.ollama_host or f"127.0.0.1:{OLLAMA_PORT}"
    try:
        parts = urlsplit(host if "://" in host else f"http://{host}")
        name = parts.hostname or ""
        port = parts.port or OLLAMA_PORT
    except ValueError as error:
        raise UsageError(
            f"OLLAMA_HOST is {host!r}, no address.", "Write it as HOST:PORT."
        ) from error
    name = "127.0.0.1" if name in ("", ANY_HOST) else f"[{name}]" if ":" in name else name
    return f"{parts.scheme}://{name}:{port}"


def loopback_addresses() -> tuple[tuple[str, str], ...]:
    """The providers that serve on this machine, but for Ollama, with their usual addresses."""
    return tuple((provider, KNOWN_URLS[provider]) for provider in ("llamacpp", "vllm"))


def _known_url(provider: str, settings: Settings) -> str:
    return f"{ollama_address(settings)}/v1" if provider == "ollama" else KNOWN_URLS[provider]


def paired_key(base: str, settings: Settings) -> SecretStr | None:
    """The key for an address, if the settings pair one with it."""
    pairs = (
        (settings.base_url, settings.api_key),
        (settings.openai_base_url, settings.openai_api_key),
    )
    found = (key for own, key in pairs if own and own.rstrip("/") == base.rstrip("/"))
    return next(filter(None, found), None)


def check_choice(choice: ModelChoice, settings: Settings) -> None:
    """Raise UsageError if the model cannot be used because a key or a package is missing."""
    if choice.provider == gguf_files.PROVIDER:
        gguf_files.check_file(settings.data, choice.model)
        return
    if not is_compatible(choice):
        _check_extra(choice)
        return
    base, key = resolve_endpoint(choice, settings)
    if key and not KEY_CHARACTERS.fullmatch(key.get_secret_value()):
        raise UsageError(
            f"The key for {base} contains characters that a key cannot have.",
            "Set OPENAI_API_KEY for OpenAI, FORAGER_API_KEY for FORAGER_BASE_URL.",
        )
    if base.rstrip("/") == OPENAI_URL and not key:
        raise UsageError(
            f"{choice.name} needs a key.",
            "Set OPENAI_API_KEY, or name another endpoint with --base-url.",
        )


def _check_extra(choice: ModelChoice) -> None:
    if find_spec(EXTRA_PACKAGE) is None:
        raise UsageError(
            f"{choice.name} needs the extra `providers`: {choice.provider} does not speak "
            "OpenAI's protocol.",
            "Install it with its own package, as docs/models.md says, or name an "
            f"OpenAI-compatible one: {', '.join(KNOWN_URLS)}.",
        )
    if choice.structure == "schema":
        raise UsageError(f"{choice.name} does not support structure=schema.", "Use tool or text.")
