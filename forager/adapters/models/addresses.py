"""Where models are asked, and the key that belongs there."""

import re
from importlib.util import find_spec

from pydantic import SecretStr

from forager.adapters.models.model_lines import KNOWN, OPENAI, Choice
from forager.errors import UsageError
from forager.settings import Settings

EXTRA = "langchain"
HEADER = re.compile(r"[!-~]+")
"""What a key may consist of, to be sent in a header."""


def compatible(choice: Choice) -> bool:
    """Is the provider asked by OpenAI's protocol?"""
    return choice.provider in KNOWN


def address(choice: Choice, settings: Settings) -> tuple[str, SecretStr | None]:
    """Where an OpenAI-compatible model is asked, and the key for it; OpenAI's goes nowhere else."""
    if choice.provider == "openai" and choice.base_url.rstrip("/") in ("", OPENAI):
        own = choice.base_url or settings.openai_base_url or OPENAI
        return own, settings.openai_api_key or settings.api_key
    return choice.base_url or KNOWN[choice.provider], settings.api_key


def check(choice: Choice, settings: Settings) -> None:
    """Raises UsageError when the model cannot be asked: no key, or no library."""
    if not compatible(choice):
        _check_extra(choice)
        return
    base, key = address(choice, settings)
    if key and not HEADER.fullmatch(key.get_secret_value()):
        raise UsageError(
            f"The key for {base} has characters that no key can have.",
            "Set OPENAI_API_KEY for OpenAI, FORAGER_API_KEY for another endpoint.",
        )
    if base.rstrip("/") == OPENAI and not key:
        raise UsageError(
            f"{choice.name} needs a key.",
            "Set OPENAI_API_KEY, or name another endpoint with --base-url.",
        )


def _check_extra(choice: Choice) -> None:
    if find_spec(EXTRA) is None:
        raise UsageError(
            f"{choice.name} needs the extra `providers`: {choice.provider} does not speak "
            "OpenAI's protocol.",
            "Install it with its own package, as docs/models.md says, or name an "
            f"OpenAI-compatible one: {', '.join(KNOWN)}.",
        )
    if choice.structure == "schema":
        raise UsageError(
            f"{choice.name} cannot be asked with structure=schema.", "Take tool or text."
        )
