"""The endpoint of a model, and the API key for it."""

import re
from importlib.util import find_spec

from pydantic import SecretStr

from forager.adapters.models.model_lines import KNOWN_URLS, OPENAI_URL, ModelChoice
from forager.errors import UsageError
from forager.settings import Settings

EXTRA_PACKAGE = "langchain"
KEY_CHARACTERS = re.compile(r"[!-~]+")
"""The characters that a key in a header may have."""


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
        return base, settings.openai_api_key or _paired_key(base, settings)
    base = choice.base_url or KNOWN_URLS[choice.provider]
    return base, _paired_key(base, settings)


def _paired_key(base: str, settings: Settings) -> SecretStr | None:
    """The key for an address of the settings."""
    pairs = (
        (settings.base_url, settings.api_key),
        (settings.openai_base_url, settings.openai_api_key),
    )
    found = (key for own, key in pairs if own and own.rstrip("/") == base.rstrip("/"))
    return next(filter(None, found), None)


def check_choice(choice: ModelChoice, settings: Settings) -> None:
    """Raise UsageError if the model cannot be used because a key or a package is missing."""
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
