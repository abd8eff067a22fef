"""The model that `auto` takes: what is there on this machine, without asking anything beyond it."""

import re
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec

from forager.adapters.models.addresses import loopback_addresses, ollama_address
from forager.adapters.models.endpoint_trials import last_fault_of
from forager.adapters.models.local import gguf_files, ollama
from forager.adapters.models.model_lines import (
    AUTO,
    OFFLINE,
    OPENAI_URL,
    ModelChoice,
    ModelChoices,
    parse_model_line,
)
from forager.adapters.models.model_list import ask_model_names
from forager.domain.base import Frozen
from forager.errors import ForagerError
from forager.settings import Settings

HOSTED = "openai:gpt-5-mini"
SECONDS = 0.5
SET_SECONDS = 5.0
"""How long an endpoint is waited for that the settings name; others are on this machine."""
REMEMBERED_SECONDS = 30.0
SIZE = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s*([bm])\b", re.IGNORECASE)
MODEL_ID = re.compile(r"[^\s,]+")
SMALL_BILLIONS = 4.0
"""A model with fewer parameters is asked only what small models do well."""
SMALL_BYTES = 2_500_000_000
"""A file of four billion parameters at four bits each has about this size."""


class FoundModel(Frozen):
    """A model line, and where it was found."""

    line: str
    about: str
    passed_over: str = ""
    """Why an endpoint of the settings, which would have come first, was not taken."""


NOTHING = FoundModel(line=OFFLINE, about="no key, no endpoint on this machine, no file of a model")
_REMEMBERED: dict[tuple[str, ...], tuple[float, FoundModel]] = {}
_LOCK = threading.Lock()


def find_model(settings: Settings) -> FoundModel:
    """What `auto` takes; what was found is remembered for half a minute."""
    key = (
        str(settings.data),
        settings.base_url,
        settings.openai_base_url,
        settings.ollama_host,
        str(settings.openai_api_key is not None),
        _hosted_fault(settings),
    )
    with _LOCK:
        when, found = _REMEMBERED.get(key, (0.0, NOTHING))
        if not when or time.monotonic() - when > REMEMBERED_SECONDS:
            faults: list[str] = []
            found = next(list_found(settings, faults), NOTHING)
            if faults:
                about = faults[0].rstrip(".") if found == NOTHING else found.about
                found = found.model_copy(update={"about": about, "passed_over": faults[0]})
            _REMEMBERED[key] = (time.monotonic(), found)
    return found


def forget_found() -> None:
    """Look again the next time."""
    with _LOCK:
        _REMEMBERED.clear()


def list_found(settings: Settings, faults: list[str] | None = None) -> Iterator[FoundModel]:
    """All that is there, what `auto` prefers first: keys, endpoints on this machine, files.

    Why an endpoint of the settings is left out, or a key that was refused, goes into `faults`.
    """
    faults = [] if faults is None else faults
    for url in filter(None, (settings.base_url, settings.openai_base_url)):
        names = _names_at(url, settings, SET_SECONDS, faults)
        if len(names) == 1:  # of several, nobody has said which may be asked, or what it costs
            yield FoundModel(line=f"openai:{names[0]},base_url={url}", about=url)
    if fault := _hosted_fault(settings):
        faults.append(fault)
    elif settings.openai_api_key and not settings.openai_base_url:
        yield FoundModel(line=HOSTED, about="OPENAI_API_KEY")
    yield from _in_ollama(settings)
    for provider, url in loopback_addresses():
        for name in _names_at(url, settings, SECONDS, []):
            yield FoundModel(line=with_profile(f"{provider}:{name}", name), about=url)
    if find_spec(gguf_files.LIBRARY):
        yield from _in_files(settings)


def replace_auto(choices: ModelChoices, settings: Settings) -> ModelChoices:
    """The choices with what was found in the place of `auto`; their other options stay."""
    if all(choice.name != AUTO for choice in choices.all_choices()):
        return choices
    found = parse_model_line(find_model(settings).line).default

    def named(choice: ModelChoice) -> ModelChoice:
        if choice.name != AUTO:
            return choice
        profile = "small" if "small" in (found.profile, choice.profile) else "large"
        where = {"name": found.name, "base_url": found.base_url, "profile": profile}
        return choice.model_copy(update=where)

    roles = {role: named(own) for role, own in choices.roles.items()}
    return ModelChoices(default=named(choices.default), roles=roles)


def is_small(name: str) -> bool:
    """Whether a name says that the model has less than four billion parameters."""
    found = SIZE.search(re.sub(r"[-_:]", " ", name))
    if found is None:
        return False
    billions = float(found[1]) / (1000 if found[2].lower() == "m" else 1)
    return billions < SMALL_BILLIONS


def with_profile(line: str, name: str) -> str:
    """The line, with the profile of a small model where its name says so."""
    return f"{line},profile=small" if is_small(name) else line


def _in_ollama(settings: Settings) -> Iterator[FoundModel]:
    with suppress(ForagerError):
        for each in ollama.list_ollama(settings, SECONDS):
            line = with_profile(f"{ollama.PROVIDER}:{each.name}", each.parameters or each.name)
            yield FoundModel(line=line, about=f"Ollama at {ollama_address(settings)}")


def _in_files(settings: Settings) -> Iterator[FoundModel]:
    for file in gguf_files.list_files(settings.data):
        small = is_small(file.name) or (not SIZE.search(file.name) and file.bytes < SMALL_BYTES)
        line = f"{gguf_files.PROVIDER}:{file.name}{',profile=small' if small else ''}"
        yield FoundModel(line=line, about=str(file.path))


def _hosted_fault(settings: Settings) -> str:
    """Why the key for OpenAI is of no use, if that was seen."""
    key = settings.openai_api_key
    own = key is None or bool(settings.openai_base_url)
    return "" if own else last_fault_of(OPENAI_URL, key, settings)


def _names_at(url: str, settings: Settings, seconds: float, faults: list[str]) -> list[str]:
    """The models at an address that write, and that a model line can name; a fault is added."""
    try:
        names = ask_model_names(url, settings, seconds)
    except ForagerError as error:
        faults.append(error.what)
        return []
    return [name for name in names if MODEL_ID.fullmatch(name) and ollama.writes(name)]
