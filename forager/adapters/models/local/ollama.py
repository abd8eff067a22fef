"""Ollama on this machine or another: which models it has, how it fetches and deletes one.

Source: https://github.com/ollama/ollama/blob/main/docs/api.md
"""

import json
from typing import Any

import httpx2
from pydantic import BaseModel, Field, ValidationError

from forager.adapters.models.addresses import ollama_address
from forager.adapters.models.local.gguf_files import Report
from forager.domain.base import Frozen
from forager.errors import ModelError, UsageError
from forager.settings import Settings
from forager.util.suggest import did_you_mean

PROVIDER = "ollama"
EMBEDDERS = "bert", "embed", "clip"
"""Parts of the names and families of models that do not write."""
START = "Start it with `ollama serve`, or set OLLAMA_HOST to where it runs."
PULL_SECONDS = 600.0
"""Between two reports of a transfer, the last of which checks the whole file."""
NOT_FOUND = 404
SECONDS = 10.0


class OllamaModel(Frozen):
    """A model; `parameters` is their number as Ollama writes it, such as 1.5B, or empty."""

    name: str
    bytes: int
    parameters: str = ""


class _Details(BaseModel):
    family: str = ""
    parameter_size: str = ""


class _Tag(BaseModel):
    name: str
    size: int = 0
    details: _Details = Field(default_factory=_Details)


class _Tags(BaseModel):
    models: list[_Tag]


def list_ollama(settings: Settings, seconds: float) -> tuple[OllamaModel, ...]:
    """The models that write, the one changed last first. Raises ModelError."""
    with _open_client(settings, seconds) as client:
        response = _ask(client, "GET", "/api/tags")
    try:
        tags = _Tags.model_validate_json(response.content).models
    except ValidationError as error:
        raise ModelError(f"{client.base_url} is no Ollama.", START) from error
    return tuple(
        OllamaModel(name=tag.name, bytes=tag.size, parameters=tag.details.parameter_size)
        for tag in tags
        if writes(f"{tag.name} {tag.details.family}")
    )


def writes(name: str) -> bool:
    """Whether a model writes, as far as its name and family say: others only embed."""
    return not any(part in name.lower() for part in EMBEDDERS)


def pull_ollama(name: str, settings: Settings, report: Report) -> None:
    """Let Ollama fetch a model. Raises ModelError."""
    with _open_client(settings, PULL_SECONDS) as client:
        try:
            with client.stream("POST", "/api/pull", json={"model": name}) as response:
                if not response.is_success:
                    response.read()
                    raise _refusal(client, response)
                for line in response.iter_lines():
                    _tell(client, json.loads(line or "{}"), report)
        except (httpx2.HTTPError, json.JSONDecodeError) as error:
            raise _away(client, error) from error


def remove_ollama(name: str, settings: Settings) -> None:
    """Delete a model. Raises UsageError if there is none, and ModelError."""
    with _open_client(settings, SECONDS) as client:
        response = _ask(client, "DELETE", "/api/delete", {"model": name}, may_miss=True)
    if response.status_code == NOT_FOUND:
        names = [each.name for each in list_ollama(settings, SECONDS)]
        raise UsageError(f"Ollama has no model {name!r}.", did_you_mean(name, names))


def _open_client(settings: Settings, seconds: float) -> httpx2.Client:
    base = ollama_address(settings)
    return httpx2.Client(
        base_url=base,
        proxy=settings.proxy_for(base),
        trust_env=False,
        timeout=seconds,
        verify=base.startswith("https"),  # loading certificates takes longer than the rest
    )


def _ask(
    client: httpx2.Client, method: str, path: str, body: Any = None, *, may_miss: bool = False
) -> httpx2.Response:
    try:
        response = client.request(method, path, json=body)
    except httpx2.HTTPError as error:
        raise _away(client, error) from error
    if response.is_success or (may_miss and response.status_code == NOT_FOUND):
        return response
    raise _refusal(client, response)


def _tell(client: httpx2.Client, told: dict[str, Any], report: Report) -> None:
    if fault := told.get("error"):
        raise ModelError(f"Ollama at {client.base_url} said: {fault}.", "Is the name right?")
    report(str(told.get("status", "")), int(told.get("completed", 0)), int(told.get("total", 0)))


def _refusal(client: httpx2.Client, response: httpx2.Response) -> ModelError:
    try:
        said = str(response.json()["error"])
    except (ValueError, KeyError, TypeError):
        said = f"HTTP {response.status_code}"
    return ModelError(f"Ollama at {client.base_url} said: {said}.", "Is the name right?")


def _away(client: httpx2.Client, error: Exception) -> ModelError:
    return ModelError(
        f"Ollama does not answer at {client.base_url} ({type(error).__name__}).", START
    )
