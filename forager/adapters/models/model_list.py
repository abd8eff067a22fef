"""The models that an OpenAI-compatible endpoint says it has."""

import asyncio

import httpx2
from pydantic import BaseModel, SecretStr, ValidationError

from forager.adapters.models.addresses import (
    KEY_CHARACTERS,
    advise_unreached,
    is_nearby,
    paired_key,
)
from forager.adapters.models.endpoint_trials import note_trial
from forager.errors import ModelError
from forager.settings import Settings

SECONDS = 10.0
DENIED = frozenset({401, 403})
NOT_FOUND = 404


class _Listed(BaseModel):
    id: str


class _ModelList(BaseModel):
    data: list[_Listed]


async def list_model_names(base_url: str, key: SecretStr | None, settings: Settings) -> list[str]:
    """The names of the models at an address, in alphabetical order; the key is sent there alone.

    Raises ModelError, in words for someone who has just typed the address and the key. How it
    ended is kept, for `auto`.
    """
    try:
        names = await asyncio.to_thread(_ask_names, base_url, key, settings, SECONDS)
    except ModelError as error:
        note_trial(base_url, key, settings, error.what)
        raise
    note_trial(base_url, key, settings, "")
    return names


def ask_model_names(base_url: str, settings: Settings, seconds: float) -> list[str]:
    """The same, with the key that the settings pair with the address. Raises ModelError."""
    return _ask_names(base_url, paired_key(base_url, settings), settings, seconds)


def _ask_names(
    base_url: str, key: SecretStr | None, settings: Settings, seconds: float
) -> list[str]:
    secret = key.get_secret_value() if key else ""
    if secret and not KEY_CHARACTERS.fullmatch(secret):
        raise ModelError("The key contains characters that no key has.", "Paste it again.")
    try:
        url = httpx2.URL(base_url.rstrip("/") + "/models")
    except httpx2.InvalidURL as error:
        raise ModelError(
            f"{base_url} is not an address.", "Write it as https://host/v1."
        ) from error
    if url.scheme not in ("http", "https") or not url.host:
        raise ModelError(f"{base_url} is not an address.", "Write it as https://host/v1.")
    place = url.netloc.decode()
    headers = {"authorization": f"Bearer {secret}"} if secret else {}
    try:
        with httpx2.Client(
            proxy=settings.proxy_for(base_url),
            trust_env=False,
            timeout=seconds,
            verify=url.scheme == "https",  # loading certificates takes longer than the rest
        ) as client:
            response = client.get(url, headers=headers)
    except httpx2.TimeoutException as error:
        raise ModelError(
            f"{place} did not reply within {seconds:g} s.", "Is it the right address?"
        ) from error
    except (httpx2.HTTPError, OSError) as error:
        near = is_nearby(url.host)
        what = f"Could not connect to {place}." if near else f"Could not reach {place}."
        raise ModelError(what, advise_unreached(base_url)) from error
    return _read_names(response, place, has_key=bool(secret))


def describe_denial(place: str, *, has_key: bool) -> str:
    """That a host answers nobody with this key, or without one."""
    return f"{place} did not accept the key." if has_key else f"{place} needs a key."


def _read_names(response: httpx2.Response, place: str, *, has_key: bool) -> list[str]:
    status = response.status_code
    if status in DENIED:
        raise ModelError(describe_denial(place, has_key=has_key), "Paste a key for this address.")
    if status == NOT_FOUND:
        raise ModelError(
            f"{place} has no list of models at {response.url.path}.",
            "The address of most endpoints ends in /v1.",
        )
    if not response.is_success:
        raise ModelError(f"{place} replied with HTTP {status}.", "Is it the right address?")
    try:
        found = _ModelList.model_validate_json(response.content)
    except ValidationError as error:
        raise ModelError(
            f"{place} replied, but not with a list of models.",
            "The address of most endpoints ends in /v1.",
        ) from error
    return sorted(model.id for model in found.data)
