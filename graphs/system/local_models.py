"""The models on this machine: what `auto` takes, Ollama's, and the files in the data folder."""

from contextlib import suppress
from importlib.util import find_spec
from typing import NamedTuple

from forager.adapters.models.addresses import ollama_address
from forager.adapters.models.local import gguf_files, ollama
from forager.adapters.models.local.found_models import (
    FoundModel,
    find_model,
    forget_found,
    list_found,
)
from forager.adapters.models.local.gguf_files import Report, read_hash
from forager.errors import ForagerError, UsageError
from forager.settings import Settings

__all__ = [
    "FoundModel",
    "LocalModel",
    "find_model",
    "hash_of",
    "list_found",
    "list_models",
    "pull_model",
    "remove_model",
]
SECONDS = 2.0


class LocalModel(NamedTuple):
    """A model on this machine: its line, its size in bytes, and where it is."""

    line: str
    bytes: int
    place: str


def list_models(settings: Settings) -> tuple[LocalModel, ...]:
    """Ollama's models, if it runs, and the files in the data folder."""
    found: list[LocalModel] = []
    with suppress(ForagerError):
        place = f"Ollama at {ollama_address(settings)}"
        found += [
            LocalModel(f"{ollama.PROVIDER}:{each.name}", each.bytes, place)
            for each in ollama.list_ollama(settings, SECONDS)
        ]
    lacks = "" if find_spec(gguf_files.LIBRARY) else f" (needs {gguf_files.LIBRARY})"
    found += [
        LocalModel(f"{gguf_files.PROVIDER}:{each.name}", each.bytes, f"{each.path}{lacks}")
        for each in gguf_files.list_files(settings.data)
    ]
    return tuple(found)


def pull_model(name: str, sha256: str, settings: Settings, report: Report) -> str:
    """Fetch `ollama:NAME`, or a GGUF file by its address; returns its model line.

    Raises UsageError, ModelError and StoreError.
    """
    provider, _, rest = name.partition(":")
    forget_found()
    if provider == ollama.PROVIDER and rest:
        ollama.pull_ollama(rest, settings, report)
        return name
    if provider in ("http", "https"):
        file = gguf_files.fetch_file(name, sha256, settings, report)
        return f"{gguf_files.PROVIDER}:{file.name}"
    raise UsageError(
        f"There is no model to fetch by {name!r}.",
        "Write ollama:NAME, or the address of a GGUF file.",
    )


def remove_model(line: str, settings: Settings) -> None:
    """Delete `ollama:NAME` or `local:NAME`. Raises UsageError, ModelError and StoreError."""
    provider, _, name = line.partition(":")
    forget_found()
    if provider == ollama.PROVIDER and name:
        ollama.remove_ollama(name, settings)
    elif provider == gguf_files.PROVIDER and name:
        gguf_files.remove_file(settings.data, name)
    else:
        raise UsageError(
            f"{line!r} is not a model on this machine.", "Write ollama:NAME or local:NAME."
        )


def hash_of(line: str, settings: Settings) -> str:
    """The SHA-256 of a file in the data folder, in hex; empty for other models."""
    provider, _, name = line.partition(":")
    if provider != gguf_files.PROVIDER:
        return ""
    return read_hash(gguf_files.find_file(settings.data, name).path)
